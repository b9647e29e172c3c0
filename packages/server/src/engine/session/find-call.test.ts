import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { callId } from '../records/keys.ts'
import { findCall } from './user-actions.ts'

async function calls(...known: [runId: string, toolCallId: string, startedAt: number][]) {
  const room = bareKernel()
  for (const [runId, toolCallId, startedAt] of known) {
    const call = { runId, toolCallId, toolName: 't', registered: true, status: 'running' as const, fence: 1, keys: {} }
    await room.put('call', callId(runId, toolCallId), { ...call, startedAt })
  }
  const list = () => room.store.list(room.partition, 'call')
  return async (toolCallId: string, runId?: string) =>
    (await room.kernel.transact(room.partition, (tx) => findCall(room.kernel, tx, { runId, toolCallId }, list)))
      ?.runId ?? null
}

test('findCall with a run returns the call of that run', async () => {
  const find = await calls(['a', 'c', 2], ['b', 'c', 1])
  expect([await find('c', 'b'), await find('c', 'x'), await find('x', 'a')]).toEqual(['b', null, null])
})

test('findCall without a run returns the latest call with the id, in any order of the rows', async () => {
  const find = await calls(['a', 'c', 2], ['b', 'c', 9], ['d', 'c', 5], ['e', 'other', 10])
  expect(await find('c')).toBe('b')
  expect(await (await calls(['a', 'c', 9], ['b', 'c', 2]))('c')).toBe('a')
  expect(await find('nothing')).toBeNull()
})

test('findCall matches the whole id, also if it contains a separator', async () => {
  const find = await calls(['run', 'x/c', 9], ['run/x', 'c', 1], ['run', 'xc', 9])
  expect(await find('c')).toBe('run/x')
})
