import assert from 'node:assert/strict'
import { createHoldpoint } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { agree } from './agree.ts'
import { approveOldest } from './approve-oldest.ts'
import { code } from './ask-again.ts'
import { deleteFiles } from './delete-files.ts'
import { delivery } from './delivery.ts'
import { order } from './order.ts'

const holdpoint = createHoldpoint({
  store: sqliteStore({ path: 'data.db' }),
  authenticate: () => ({ userId: 'ada' }),
  security: { vaultKeys: [{ id: '1', key: Buffer.alloc(32, 1) }] },
})
const ada = testHuman(holdpoint, { userId: 'ada', nextTimeoutMs: 20_000 })
let calls = 0
const ctx = () =>
  holdpoint
    .session('chat-1', { userId: 'ada' })
    .toolCall({ runId: 'run-1', toolCallId: `call-${++calls}`, toolName: 'guide' })

const files = deleteFiles(ctx(), ['a.txt', 'b.txt'])
await ada.approve(await ada.next(), { args: { files: ['a.txt'] } })
assert.deepEqual(await files, { deleted: ['a.txt'], scope: 'once', remembered: false, edited: true })

const refused = deleteFiles(ctx(), ['c.txt'])
await ada.deny(await ada.next(), 'Mine')
assert.deepEqual(await refused, { deleted: [], because: 'denied', reason: 'Mine' })

const ordered = order(ctx())
await ada.fill(await ada.next(), { name: 'Ada', copies: 2, size: 's' })
assert.equal((await ordered).name, 'Ada')

const delivered = delivery(ctx())
const asked = await ada.next()
await assert.rejects(async () => ada.fill(asked, { how: 'pickup', street: 'Main St 1' }))
await ada.fill(asked, { how: 'pickup', days: { from: '2026-01-31', to: '2026-02-03' }, budget: 12.5 })
assert.deepEqual(await delivered, { how: 'pickup', days: { from: '2026-01-31', to: '2026-02-03' }, budget: 12.5 })

const agreed = agree(ctx())
await ada.fill(await ada.next(), { email: 'ada@home.example', agreed: true })
await ada.fill(await ada.next(), { email: 'ada@example.com', agreed: true })
assert.deepEqual(await agreed, { email: 'ada@example.com', agreed: true })

const coded = code(ctx())
await ada.fill(await ada.next(), { code: '1' })
await ada.fill(await ada.next(), { code: '4711' })
assert.deepEqual(await coded, { ok: true })

// Answered from code: by this user's newest surface, once the question is old enough.
const oldest = ctx().tryApprove({ prompt: 'Continue?' })
await ada.next()
await approveOldest(holdpoint, 'ada', 'request-1')
await holdpoint.session('chat-1', { userId: 'ada' }).cancel()
assert.equal((await oldest).outcome, 'cancelled', 'a question of this minute is not old enough')
process.exit()
