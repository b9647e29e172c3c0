import { expect, test, vi } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { rememberedId } from '../consent/remembered.ts'
import { getApproval, setApproval } from '../consent/tool-approvals.ts'
import { userPartition } from '../records/keys.ts'
import type { RememberedRow } from '../state/rows.ts'
import { once } from './journal.ts'

const USER = userPartition('', 'ada')
const KEY = ['delete', 'a.txt']
const ID = rememberedId('ada', 'delete_files', '["delete","a.txt"]')

function world() {
  const bare = bareKernel()
  const { kernel, put, row, store, partition } = bare
  const remembered = (scope: RememberedRow['scope']): RememberedRow => ({
    ...{ userId: 'ada', tool: 'delete_files', key: '["delete","a.txt"]', scope, approvedAt: bare.clock.now() },
    ...(scope !== 'always' && { sessionId: 'chat' }),
  })
  return {
    ...bare,
    remembered,
    give: (scope: RememberedRow['scope']) =>
      put('remembered', ID, remembered(scope), scope === 'always' ? USER : partition),
    session: () => row('remembered', ID),
    always: () => row('remembered', ID, USER),
    journal: async () => (await store.list(partition, 'journal')).map(({ data }) => JSON.parse(data).d),
    once: (effect: Parameters<typeof once>[3], run = bare.execution(), key = 'mail') => once(kernel, run, key, effect),
    get: (run = bare.execution()) => getApproval(kernel, run, KEY),
    set: (scope: RememberedRow['scope'], run = bare.execution()) => setApproval(kernel, run, KEY, scope),
  }
}

test('an effect runs once over all repeated executions, which receive its value', async () => {
  const { once: make, execution, journal } = world()
  const effect = vi.fn(() => ({ id: 7 }))
  expect(await make(effect)).toEqual({ id: 7 })
  const again = execution()
  expect([await make(effect, again), await make(effect, again)]).toEqual([{ id: 7 }, { id: 7 }])
  expect(effect).toHaveBeenCalledOnce()
  expect(await make(() => 'other', execution(), 'another key')).toBe('other')
  expect(await journal()).toHaveLength(2)
})

test('an effect without a value runs once too', async () => {
  const { once: make, execution, journal } = world()
  const effect = vi.fn(() => undefined)
  await make(effect)
  expect(await make(effect, execution())).toBeUndefined()
  expect(effect).toHaveBeenCalledOnce()
  expect(Object.keys((await journal())[0])).toEqual(['type', 'state', 'idempotencyKey'])
})

test('an interrupted effect runs again with the same idempotency key', async () => {
  const { once: make, execution } = world()
  const keys: string[] = []
  const failing = vi.fn(({ idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(idempotencyKey)
    if (keys.length === 1) throw new Error('died')
    return 'sent'
  })
  const run = execution()
  await expect(make(failing, run)).rejects.toThrow('died')
  expect(await make(failing, run)).toBe('sent')
  expect(await make(failing, execution())).toBe('sent')
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.stringMatching(/^.{20,}$/)])
})

test('an effect that is requested twice at the same time runs once', async () => {
  const { once: make, execution } = world()
  const effect = vi.fn(() => 'sent')
  const run = execution()
  expect(await Promise.all([make(effect, run), make(effect, run)])).toEqual(['sent', 'sent'])
  expect(effect).toHaveBeenCalledOnce()
  expect(run.effects.size).toBe(0)
})

test('an effect receives the signal of its execution, and its value must be recordable', async () => {
  const { once: make, execution } = world()
  const run = execution()
  let given: AbortSignal | undefined
  await make(({ signal }) => {
    given = signal
  }, run)
  expect(given).toBe(run.signal)
  await expect(make(() => 1n, run, 'big')).rejects.toMatchObject({ code: 'not_recordable' })
})

test('an effect is rejected if its journal entry has another type', async () => {
  const { once: make, kernel, partition, store } = world()
  await make(() => 'sent')
  const [entry] = await store.list(partition, 'journal')
  await kernel.transact(partition, async (tx) => tx.put('journal', entry?.id ?? '', { type: 'value', value: 'x' }))
  await expect(make(() => 'sent')).rejects.toThrow('another type')
})

test('an effect does not run if the execution lost its call or the run was cancelled', async () => {
  const { once: make, execution, put } = world()
  const older = execution()
  await make(() => 1, older)
  await make(() => 2, execution(), 'newer')
  const effect = vi.fn()
  await expect(make(effect, older, 'late')).rejects.toMatchObject({ code: 'ownership_lost' })
  await put('idle', 'run-1', { runId: 'run-1', status: 'cancelled', waiting: {} })
  await expect(make(effect, execution(), 'late')).rejects.toMatchObject({ outcome: 'cancelled' })
  expect(effect).not.toHaveBeenCalled()
})

test('a process registers itself before it owns a call', async () => {
  for (const act of [(w: World) => w.once(() => 1), (w: World) => w.get(), (w: World) => w.set('always')]) {
    const all = world()
    await act(all)
    expect(await all.row('node', all.kernel.incarnation, 'n')).not.toBeNull()
    expect(await all.row('call', 'run-1/call-1')).toMatchObject({ fence: 1, owner: all.kernel.incarnation })
  }
})
type World = ReturnType<typeof world>

test.each([
  ['none', [], null],
  ['for the session', ['session'], 'session'],
  ['for good', ['always'], 'always'],
  ['both: the wider one', ['session', 'always'], 'always'],
] as const)('an approval is found with the scope %s', async (_what, scopes, expected) => {
  const { give, get } = world()
  for (const scope of scopes) await give(scope)
  expect(await get()).toBe(expected)
})

test('an approval for once is consumed by the first call that reads it, and a repeated execution reads the same', async () => {
  const { give, get, session, execution } = world()
  await give('once')
  const first = execution()
  expect(await get(first)).toBe('once')
  expect(await session()).toBeNull()
  expect(await get(first)).toBeNull()
  const again = execution()
  expect([await get(again), await get(again), await get(again)]).toEqual(['once', null, null])
  expect(await get(execution({ toolCallId: 'call-2' }))).toBeNull()
})

test('an approval for longer than once is not consumed', async () => {
  const { give, get, session, always } = world()
  await give('session')
  await get()
  expect(await session()).not.toBeNull()
  await give('always')
  await get()
  expect(await always()).not.toBeNull()
})

test('a repeated execution reads the same approval, also if there was none and one was given since', async () => {
  const { give, get, execution } = world()
  expect(await get()).toBeNull()
  await give('session')
  expect(await get(execution())).toBeNull()
})

test.each(['once', 'session'] as const)(
  'an approval for "%s" is stored in the session, and not again by a repeated execution',
  async (scope) => {
    const { set, session, always, remembered, kernel, partition } = world()
    await set(scope)
    expect([await session(), await always()]).toEqual([remembered(scope), null])
    await kernel.transact(partition, async (tx) => tx.delete('remembered', ID))
    await set(scope)
    expect(await session()).toBeNull()
  },
)

test('an approval for "always" is stored for the user, and not again by a repeated execution', async () => {
  const { set, session, always, remembered, kernel, store } = world()
  await set('always')
  expect([await session(), await always()]).toEqual([null, remembered('always')])
  expect((await store.byTag('g//ada')).rows).toHaveLength(1)
  await kernel.transact(USER, async (tx) => tx.delete('remembered', ID))
  await set('always')
  expect(await always()).toBeNull()
})

test('an approval that is set twice in one execution is stored twice', async () => {
  const { set, always, session, execution } = world()
  const run = execution()
  await set('session', run)
  await set('always', run)
  expect([(await session())?.scope, (await always())?.scope]).toEqual(['session', 'always'])
  await set('once', run)
  expect((await session())?.scope).toBe('once')
})
