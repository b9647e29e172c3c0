// The server of the README runs a tool at its end, and waits: a client on the network sees the question and answers it.
import assert from 'node:assert/strict'
import { createHoldpointClient, selectPending, sse } from '@holdpoint/core'

const server = import('./server.ts')
const at = `http://127.0.0.1:${process.env.PORT}`
while (!(await fetch(`${at}/inbox`).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 20))
const inbox = await (await fetch(`${at}/inbox`)).json()
assert.equal(inbox.items.length, 1)
// A program on the network has no Origin; a bearer token stands for it.
const transport = sse({ url: at, headers: { authorization: 'Bearer test' } })
const client = createHoldpointClient({ sessionId: inbox.items[0].sessionId, transport })
const question = await new Promise<{ interactionId: string }>((found) => {
  const look = () => {
    const [first] = selectPending(client.getSnapshot())
    if (first) found(first)
  }
  client.subscribe(look)
  look()
})
assert.equal((await client.respond(question.interactionId, { action: 'approve' })).status, 'accepted')
await server
process.exit()
