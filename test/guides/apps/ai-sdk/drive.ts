import assert from 'node:assert/strict'
import { testHuman } from '@holdpoint/server/testing'
import * as given from './given.ts'
import { holdpoint } from './holdpoint.ts'
import { GET } from './holdpoint-route.ts'
import { POST } from './route.ts'

async function post(messages: unknown[]): Promise<string> {
  const body = JSON.stringify({ id: 'chat-1', messages })
  return await (await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))).text()
}

const said = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'delete' }] }
await post([said])
assert.deepEqual(given.removed, [])
const inbox = await (await GET(new Request('http://localhost/holdpoint/inbox'))).json()
assert.equal(inbox.items.length, 1, 'the routes of Holdpoint are beside the chat')
const ada = testHuman(holdpoint, { userId: 'ada' })
const question = await ada.next()
assert.equal(question.prompt, 'Delete 1 files?')
await ada.approve(question)
// The request of `useHoldpointChat` after the answer: the messages, with the answered part.
const answered = given.saved.map((message) => ({
  ...message,
  parts: message.parts.map((part) =>
    'approval' in part && part.state === 'approval-requested'
      ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
      : part,
  ),
}))
const stream = await post(answered)
assert.deepEqual(given.removed, ['a.txt'])
assert.match(stream, /They are gone/)
process.exit()
