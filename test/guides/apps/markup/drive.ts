// Serves the built page, and asks once for each part of it.
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

// Without React the guide's session is `task-42`.
for (const sessionId of ['hooks', 'themed', 'task-42']) {
  const ctx = holdpoint
    .session(sessionId, { userId: 'ada' })
    .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'guide' })
  const asked = ctx.tryApprove({ prompt: `Continue with ${sessionId}?`, args: { file: 'a.txt' } })
  asked.then(({ outcome }) => console.log(sessionId, outcome))
}
