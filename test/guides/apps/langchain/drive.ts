import assert from 'node:assert/strict'
import { testHuman } from '@holdpoint/server/testing'
import { HumanMessage } from 'langchain'
import { agent, holdpoint } from './agent.ts'
import * as given from './given.ts'

const config = { configurable: { thread_id: 'task-1' }, context: { userId: 'ada' } }
const stopped = await agent.invoke({ messages: [new HumanMessage({ id: 'm1', content: 'Clean up' })] }, config)
assert.ok('__interrupt__' in stopped)
assert.deepEqual(given.removed, [])
const ada = testHuman(holdpoint, { userId: 'ada' })
const question = await ada.next()
assert.equal(question.prompt, 'Delete 2 files?')
await ada.approve(question, { args: { files: ['a.txt'] } })
// The hook of the guide resumes the thread.
while (given.said.length === 0) await new Promise((later) => setTimeout(later, 20))
assert.deepEqual([given.removed, given.said], [['a.txt'], ['1 deleted']])
process.exit()
