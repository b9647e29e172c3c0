import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { emailSurface, type Mail } from '@holdpoint/server/email'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { addSurfaces } from '@holdpoint/server/surfaces'

/** An app whose questions are answered from a link and from a mail. The user of the open tab has a cookie, a phone has none. */
const mails: Mail[] = []
const holdpoint = createHoldpoint({
  store: memoryStore(),
  authenticate: (request) => (/user=ada/.test(request.headers.get('cookie') ?? '') ? { userId: 'ada' } : null),
  http: { mountPath: '/holdpoint' },
})
const handler = toNodeHandler(holdpoint)
const server = createServer(async (request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/holdpoint/')) return handler(request, response)
  if (path.startsWith('/ask')) {
    const toolCallId = path.slice('/ask?'.length)
    const call = { runId: 'run', toolCallId, toolName: 'delete_files' }
    const result = await holdpoint
      .session('chat', { userId: 'ada' })
      .toolCall(call)
      .tryApprove({ prompt: `Delete 3 files? (${toolCallId})` })
    return void response.end(JSON.stringify(result))
  }
  if (path === '/link') {
    const [open] = (await holdpoint.interactions.list({ userId: 'ada', status: 'open' })).interactions
    if (!open) return void response.writeHead(404).end()
    const { interactionId, sessionId, tenant } = open
    return void response.end(pages.linkUrl(await holdpoint.links.create({ interactionId, sessionId, tenant, userId: 'ada' })))
  }
  if (path === '/mails') return void response.end(JSON.stringify(mails))
  const isScript = path === '/page.js'
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html', 'set-cookie': 'user=ada' })
  response.end(isScript ? readFileSync('page.js') : '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>')
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
const pages = answerPage(holdpoint, { url: `http://127.0.0.1:${port}/holdpoint` })
addSurfaces(holdpoint, {
  pages,
  surfaces: [
    emailSurface({
      transport: { sendMail: async (mail) => void mails.push(mail) },
      from: { name: 'Acme', address: 'agent@acme.example' },
      addressOf: ({ userId }) => `${userId}@example.com`,
    }),
  ],
  // The tab stays visible, and the mail comes nevertheless.
  route: { unseenFor: 0 },
})
console.log(`listening on ${port}`)
