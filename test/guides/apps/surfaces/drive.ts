import assert from 'node:assert/strict'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { testHuman } from '@holdpoint/server/testing'
import { type ChatApi, chat } from './chat.ts'

const posts: { userId: string; text: string; clientId: string }[] = []
const api: ChatApi = {
  async post(userId, text, clientId) {
    posts.push({ userId, text, clientId })
    return { id: String(posts.length - 1) }
  },
  async edit(id, text) {
    const post = posts[Number(id)]
    if (post) post.text = text
  },
  async findByClientId(clientId) {
    const index = posts.findIndex((post) => post.clientId === clientId)
    return index < 0 ? null : { id: String(index) }
  },
}
const until = async (found: () => unknown) => {
  for (let tries = 0; !found(); tries++) {
    assert.ok(tries < 3_000, `it does not happen: ${found}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const holdpoint = createHoldpoint({ store: sqliteStore({ path: 'data.db' }) })
const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
// The simulated user looks at the session, so messages would wait until 30 seconds after that.
addSurfaces(holdpoint, { pages, surfaces: [chat(api)], route: { unseenFor: 0 } })
const asking = holdpoint
  .session('task-1', { userId: 'ada' })
  .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'deploy' })
  .tryApprove({ prompt: 'Deploy?' })
const ada = testHuman(holdpoint, { userId: 'ada', nextTimeoutMs: 20_000 })
const question = await ada.next()
await until(() => posts.length === 1)
assert.equal(posts[0]?.userId, 'ada')
assert.equal(posts[0]?.text, `Deploy?\n${pages.url({ sessionId: 'task-1', interactionId: question.interactionId })}`)
await ada.approve(question)
assert.equal((await asking).outcome, 'approved')
await until(() => posts[0]?.text === 'This question is settled: approved.')
assert.equal(posts.length, 1)
process.exit()
