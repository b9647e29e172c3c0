import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'

const holdpoint = createHoldpoint({
  store: memoryStore(),
  authenticate: (request) => (request.headers.get('authorization') === 'Bearer of-ada' ? { userId: 'ada' } : null),
})
const server = createServer(toNodeHandler(holdpoint)).listen(Number(process.env.PORT), '127.0.0.1')
await once(server, 'listening')
const asked = holdpoint
  .session('task-42', { userId: 'ada' })
  .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
  .tryApprove({ prompt: 'Delete 3 files?' })

const terminal = spawn(process.execPath, ['terminal.ts'], { env: { ...process.env, TOKEN: 'of-ada' } })
let shown = ''
for (const stream of [terminal.stdout, terminal.stderr]) {
  stream.on('data', (chunk) => {
    shown += chunk
    if (shown.includes('[y/n]') && terminal.stdin.writable) terminal.stdin.end('y\n')
  })
}
assert.equal((await asked).outcome, 'approved', shown)
const [code] = await once(terminal, 'close')
assert.equal(code, 0, shown)
assert.match(shown, /Delete 3 files\?[\s\S]*Approved\./)
process.exit()
