import assert from 'node:assert/strict'
import { testHuman } from '@holdpoint/server/testing'

for (const name of process.argv.slice(2)) {
  const { holdpoint } = await import(`./${name}.ts`)
  const sessionId = `guide-${crypto.randomUUID()}`
  const userId = `ada-${sessionId}`
  const ctx = holdpoint.session(sessionId, { userId }).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'guide' })
  const asked = ctx.tryApprove({ prompt: 'Continue?' })
  const ada = testHuman(holdpoint, { userId, nextTimeoutMs: 20_000 })
  await ada.approve(await ada.next())
  assert.equal((await asked).outcome, 'approved', name)
  await holdpoint.eraseSession({ sessionId })
  await holdpoint.close()
}
process.exit()
