import assert from 'node:assert/strict'
import { shownDigest } from '@holdpoint/core/wire'
import { cron } from './cron.ts'
import { paid, pending } from './given.ts'
import { holdpoint, refund } from './holdpoint.ts'
import { GET, POST } from './route.ts'

const sessionId = `guide-${crypto.randomUUID()}`
const session = holdpoint.session(sessionId, { userId: 'ada' })
const run = () =>
  session.runTool(refund, { order: '42', amount: 5 }, { runId: 'run-1', toolCallId: 'call-1' })
assert.equal((await run()).status, 'suspended')
assert.deepEqual(paid, [])

// The page reads the question and answers it, through the handlers of the route.
const at = `http://localhost/holdpoint/sessions/${sessionId}`
const headers = { 'content-type': 'application/json', origin: 'http://localhost' }
const { interactions } = await (await GET(new Request(at, { headers }))).json()
const { request } = interactions[0]
assert.equal(request.prompt, 'Refund 5 € for 42?')
const answer = {
  ...{ type: 'tool_interaction_response', clientId: 'page', answerId: 'a1', action: 'approve' },
  ...{ callId: request.toolCallId, interactionId: request.interactionId, shownDigest: shownDigest(request) },
}
const answered = await POST(new Request(`${at}/messages`, { method: 'POST', headers, body: JSON.stringify(answer) }))
assert.equal(answered.status, 200, await answered.text())

// The platform keeps the function alive until the tool has run.
for (let before = -1; before !== pending.length; ) {
  before = pending.length
  await Promise.all(pending)
}
assert.deepEqual(
  paid.map(({ order, amount }) => ({ order, amount })),
  [{ order: '42', amount: 5 }],
)
assert.deepEqual(await run(), { status: 'completed', result: { paid: true } })
assert.equal(paid.length, 1)
assert.equal(await (await cron(holdpoint)()).text(), 'ok')
await holdpoint.eraseSession({ sessionId })
await holdpoint.close()
process.exit()
