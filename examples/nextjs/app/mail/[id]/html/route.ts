import { authenticate } from '@/lib/login.ts'
import { mailTo } from '@/lib/mail/catcher.ts'
import { addressOf } from '@/lib/people.ts'

/** No script, no request, no form, no access to this app: only links, in a tab of their own. */
const policy = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The HTML of one mail, for the frame that shows it. Opened by itself, it is in the same sandbox. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const person = await authenticate(request)
  const address = person && addressOf(person.userId)
  const mail = address && mailTo(address, Number((await params).id))
  if (!mail) return new Response(null, { status: 404 })
  return new Response(mail.html.replace('<head>', '<head><base target="_blank">'), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}
