import assert from 'node:assert/strict'
import { createHoldpoint } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { applied } from './given.ts'

globalThis.fetch = async () => new Response('{}')
// The guide waits for its answer at the top level, so another instance on the same store gives it.
const other = createHoldpoint({
  store: sqliteStore({ path: '.holdpoint/data.db' }),
  authenticate: () => ({ userId: 'ada' }),
  name: 'other',
})
const ada = testHuman(other, { userId: 'ada', nextTimeoutMs: 20_000 })
const imported = import('./call-system.ts')
const question = await ada.next({ toolName: 'call_system' })
assert.equal(question.prompt, 'GET https://example.com?')
await ada.approve(question)
const { holdpoint, callSystem } = await imported

const { trustReads } = await import('./trust-reads.ts')
assert.ok(await trustReads(holdpoint, 'ada'))
await holdpoint.toolSettings.set({ userId: 'ada', toolName: 'call_system', choice: 'reads' })
const session = holdpoint.session('task-43', { userId: 'ada' })
const input = { method: 'GET', url: 'https://example.com' } as const
const read = await session.runTool(callSystem, input, { runId: 'run-1', toolCallId: 'call-1' })
assert.equal(read.status, 'completed', 'a read no longer asks')

const { editFile } = await import('./edit-file.ts')
const edited = session.runTool(holdpoint.tool(editFile), { path: 'a.txt' }, { runId: 'run-1', toolCallId: 'call-2' })
await ada.approve(await ada.next({ toolName: 'edit_file' }), { diffDecisions: { h1: 'accept' } })
assert.deepEqual(await edited, { status: 'completed', result: { applied: 1 } })
assert.deepEqual(applied, ['all'])
process.exit()
