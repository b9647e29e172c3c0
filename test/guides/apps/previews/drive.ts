// Serves the built page, and asks once for each part of it, with arguments that a preview shows.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'

const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
const handle = toNodeHandler(holdpoint)
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://page')
  if (pathname.startsWith('/holdpoint/')) return void handle(request, response)
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const body = await readFile(join('dist', name)).catch(() => null)
  response.writeHead(body ? 200 : 404, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(body)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening on', process.env.PORT))

const questions = {
  shipped: { toolName: 'send_email', args: { to: ['grace@example.com'], subject: 'Lunch', body: 'At one?', bcc_all: true } },
  own: { toolName: 'post', args: { channel_name: 'general', text: 'Lunch at one.' } },
}
for (const [sessionId, { toolName, args }] of Object.entries(questions)) {
  const ctx = holdpoint.session(sessionId, { userId: 'ada' }).toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName })
  const asked = ctx.tryApprove({ prompt: `Continue with ${sessionId}?`, args })
  asked.then((answer) => console.log(sessionId, answer.outcome, JSON.stringify('args' in answer && answer.args)))
}
