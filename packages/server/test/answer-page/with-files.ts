import { engineOf } from '../../src/http/mounted.ts'
import { world } from './support.ts'

export type Entry = [name: string, value: string | File]

export const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
/** Returns the inputs that a browser posts back: hidden ones, and ticked boxes of uploaded files. */
export const carriedBy = (page: string): Entry[] =>
  [...page.matchAll(/<input type="(?:hidden|checkbox)" name="([^"]*)" value="([^"]*)"( checked)?>/g)].map(
    ([, name = '', value = '']) => [decoded(name), decoded(value)],
  )
export const keptIn = (page: string) =>
  [...page.matchAll(/<input type="checkbox" name="f\.\w+" value="([^"]*)" checked>/g)].map(
    ([, value = '']) => JSON.parse(decoded(value)).name,
  )
export const file = (name: string, content: string | number = 'x', type = 'text/plain') =>
  new File([typeof content === 'number' ? new Uint8Array(content) : content], name, { type })

export const FIELDS = [
  { id: 'title', type: 'text', label: 'Title', required: true },
  { id: 'doc', type: 'file', label: 'Document', accept: ['.txt', 'image/*'], maxBytes: 1_000, required: true },
  { id: 'more', type: 'file', label: 'Attachments', multiple: true },
]

export async function asked(asked: object = {}, pageOptions: object = {}, options: object = {}) {
  const here = world(options, pageOptions)
  const context = here.session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 'file_report' })
  const asking = context.tryAsk({ prompt: 'Send it.', fields: FIELDS, ...asked } as never)
  const question = await here.human.next()
  const { interactionId } = question
  const url = await here.linked(interactionId)
  const page = await (await here.get(url)).text()
  const send = async (
    from: string,
    action: string,
    entries: Entry[],
    headers: Record<string, string> = {},
    to = url,
  ) => {
    const form = new FormData()
    for (const [name, value] of [...carriedBy(from), ...entries]) form.append(name, value)
    form.append('action', action)
    const reply = await here.postForm(to, form, headers)
    return { status: reply.status, page: await reply.text() }
  }
  const uploads = async () => (await engineOf(here.holdpoint).store.list('s//chat', 'upload')).length
  const status = async () => (await here.holdpoint.interactions.get({ interactionId, sessionId: 'chat' }))?.status
  return { ...here, context, asking, question, interactionId, url, page, send, uploads, status }
}
