import assert from 'node:assert/strict'
import { testHuman } from '@holdpoint/server/testing'
import * as given from './given.ts'
import { holdpoint, turn } from './turn.ts'

await turn({ sessionId: 'task-1', userId: 'ada', runId: 'run-1' }, 'Clean up')
assert.deepEqual(given.removed, [])
const ada = testHuman(holdpoint, { userId: 'ada' })
const question = await ada.next()
assert.equal(question.prompt, 'Delete 2 files?')
await ada.approve(question, { args: { files: ['a.txt'] } })
while (given.saved.length === 0) await new Promise((later) => setTimeout(later, 20))
assert.deepEqual([given.removed, given.saved], [['a.txt'], ['They are gone.']])
process.exit()
