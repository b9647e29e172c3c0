import assert from 'node:assert/strict'
import { createHoldpointClient, sse } from '@holdpoint/core'

const [framework] = process.argv.slice(2)
const chat = `chat of ${framework}`
const { holdpoint } = await import(`./${framework}.ts`)
const url = `http://127.0.0.1:${process.env.PORT}/holdpoint`
const session = holdpoint.session(chat, { userId: 'ada' })
const asked = session
  .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'guide' })
  .tryApprove({ prompt: 'Continue?' })

// A client reads the question over the framework, and answers it there.
const headers = { authorization: 'Bearer ada' }
const client = createHoldpointClient({ sessionId: chat, transport: sse({ url, headers }) })
const interactionId = await new Promise<string>((open) => {
  client.subscribe(() => {
    const [id] = client.getSnapshot().pendingIds
    if (id) open(id)
  })
})
assert.deepEqual(await client.respond(interactionId, { action: 'approve' }), { status: 'accepted' })
assert.equal((await asked).outcome, 'approved')
process.exit()
