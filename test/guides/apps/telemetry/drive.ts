import assert from 'node:assert/strict'
import { holdpoint } from './holdpoint.ts'

const warned: unknown[][] = []
console.warn = (...what) => void warned.push(what)
const asked = holdpoint
  .session('chat-1', { userId: 'ada' })
  .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'guide' })
  .tryApprove({ prompt: 'Continue?', timeoutMs: 1_000 })
assert.equal((await asked).outcome, 'expired')
assert.deepEqual(warned.find(([first]) => first === 'The question timed out:')?.slice(0, 2), ['The question timed out:', 'guide'])
process.exit()
