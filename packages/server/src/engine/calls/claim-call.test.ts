import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import type { StoreListener } from '../../store/port.ts'
import { ownerTag } from '../records/keys.ts'
import { OwnCommits } from '../records/own-commits.ts'
import type { CallRow } from '../state/rows.ts'
import type { CallKernel } from './call-kernel.ts'
import { callRefs, claimCall, isUnderWay, putCall } from './claim-call.ts'
import type { Execution } from './execution.ts'
import { RunningCalls } from './running-calls.ts'

describe('the executions of this process', () => {
  function process() {
    const [lost, looked]: [string[], string[]] = [[], []]
    const listeners = new Set<StoreListener>()
    const subscribe = (listener: StoreListener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    const kernel = {
      scheduler: { add() {}, runWithin() {} },
      store: { subscribe },
      settings: {},
      ownCommits: new OwnCommits(),
      ownershipWatch: { check: (partition: string) => void looked.push(partition) },
    }
    const execution = (name: string, id = 'run/call') =>
      ({ id, partition: 's', hasEnd: true, lose: () => void lost.push(name) }) as unknown as Execution
    return { calls: new RunningCalls(kernel as unknown as CallKernel), lost, looked, listeners, execution }
  }

  test('keep the owner of a call if an older execution is still running', () => {
    const { calls, lost, execution } = process()
    const [older, newer] = [execution('older'), execution('newer')]
    calls.claimed(older, 1)
    calls.claimed(newer, 2)
    calls.register(older)
    expect(calls.in('s')[0]).toBe(newer)
    expect(lost).toEqual(['older'])
    calls.unregister(older)
    expect([calls.size, calls.in('s')[0]]).toEqual([1, newer])
    calls.unregister(newer)
    expect([calls.size, calls.partitions()]).toEqual([0, []])
  })

  test('keep an execution that claims its own call again, and list one that resumes', () => {
    const { calls, lost, execution } = process()
    const [one, two] = [execution('one'), execution('two', 'run/other')]
    calls.claimed(one, 1)
    calls.claimed(one, 1)
    calls.register(two)
    expect([lost, calls.size, calls.in('s'), calls.partitions()]).toEqual([[], 2, [one, two], ['s']])
    calls.unregister(one)
    calls.unregister(one)
    expect([calls.size, calls.in('s'), calls.partitions()]).toEqual([1, [two], ['s']])
  })

  test('are checked when their session changes, until the process closes', () => {
    const { calls, looked, listeners, execution } = process()
    calls.claimed(execution('one'), 1)
    for (const tell of listeners) tell(['s', 'another'], new Map())
    expect(looked).toEqual(['s', 'another'])
    calls.close()
    expect(listeners.size).toBe(0)
  })
})

describe('claiming a call', () => {
  const enters = (room: ReturnType<typeof bareKernel>, execution: Execution) =>
    room.kernel.transact(room.partition, async (tx) =>
      claimCall(room.kernel, tx, execution, await tx.read(...callRefs(execution))),
    )

  test('makes its execution the owner', async () => {
    const room = bareKernel()
    const execution = room.execution({}, { registered: true })
    const { call, session } = await enters(room, execution)
    expect(session).toMatchObject({ tenant: '', sessionId: 'chat', userId: 'ada', createdAt: room.clock.now() })
    expect(call).toStrictEqual({
      ...{ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files', registered: true },
      ...{ status: 'running', owner: room.kernel.incarnation, fence: 1, keys: {}, startedAt: room.clock.now() },
    })
    expect([execution.fence, room.kernel.calls.in(room.partition)]).toEqual([1, [execution]])
    expect((await enters(room, execution)).call.fence).toBe(1)
  })

  test('takes the call from an older execution, which then cannot write', async () => {
    const room = bareKernel()
    const [older, newer] = [room.execution({}, { registered: true }), room.execution({}, { registered: true })]
    await enters(room, older)
    expect((await enters(room, newer)).call.fence).toBe(2)
    expect(older.signal.reason).toMatchObject({ code: 'ownership_lost' })
    const again = room.execution({}, { registered: true })
    again.fence = 1
    await expect(enters(room, again)).rejects.toMatchObject({
      code: 'ownership_lost',
      details: { runId: 'run-1', toolCallId: 'call-1' },
    })
    expect(again.signal.aborted).toBe(true)
  })

  test('is rejected if the call was erased', async () => {
    const room = bareKernel()
    const execution = room.execution()
    await enters(room, execution)
    await room.store.erase(room.partition)
    await expect(enters(room, execution)).rejects.toMatchObject({ code: 'ownership_lost' })
  })

  test.each(['run', 'idle'] as const)('is rejected if the run is cancelled, with the reason (%s)', async (kind) => {
    const room = bareKernel()
    const execution = room.execution()
    await room.put(kind, 'run-1', { runId: 'run-1', status: 'cancelled', reason: 'enough', waiting: {} })
    await expect(enters(room, execution)).rejects.toMatchObject({ outcome: 'cancelled', reason: 'enough' })
    expect(execution.signal.aborted).toBe(true)
    expect(await room.row('call', execution.id)).toBeNull()
  })

  test('is rejected in a session of another user', async () => {
    const room = bareKernel()
    await enters(room, room.execution())
    await expect(enters(room, room.execution({ userId: 'eve' }))).rejects.toMatchObject({
      code: 'session_owner_mismatch',
      details: { sessionId: 'chat' },
    })
  })

  test.each([
    [true, /made with runTool before/],
    [false, /made with session\.toolCall before/],
  ])('is rejected if the call was made in another way before (registered: %s)', async (registered, message) => {
    const room = bareKernel()
    await enters(room, room.execution({}, { registered }))
    await expect(enters(room, room.execution({}, { registered: !registered }))).rejects.toMatchObject({
      code: 'call_mismatch',
      message: expect.stringMatching(message),
    })
  })

  test('behind a gate leaves the call without an owner, and takes it from no running execution', async () => {
    const room = bareKernel()
    const gate = () => room.execution({}, { registered: true, waiter: 'gate' })
    const { call } = await enters(room, gate())
    expect(call).toMatchObject({ status: 'suspended', fence: 1 })
    expect(call).not.toHaveProperty('owner')
    expect((await enters(room, gate())).call.fence).toBe(2)
    await enters(room, room.execution({}, { registered: true }))
    for (const [status, said] of [
      ['running', /is running/],
      ['finished', /has finished/],
    ] as const) {
      await room.put('call', gate().id, { ...call, status })
      await expect(enters(room, gate())).rejects.toMatchObject({
        code: 'call_begun',
        message: expect.stringMatching(said),
        details: { status },
      })
    }
  })
})

describe('the lists that contain a call', () => {
  const base = { runId: 'r', toolCallId: 'c', toolName: 't', fence: 1, keys: {}, startedAt: 0 }
  test.each([
    ['a registered one that runs', { registered: true, status: 'running', owner: 'me' }, true, true],
    ['a registered one that waits', { registered: true, status: 'suspended', waiting: ['q'] }, true, false],
    ['a registered one that has finished', { registered: true, status: 'finished', owner: 'me' }, false, false],
    ['one that has finished and had waited', { registered: true, status: 'finished', waiting: ['q'] }, false, false],
    ['a registered one behind its gate', { registered: true, status: 'suspended', owner: 'me' }, false, false],
    ['a bare one', { registered: false, status: 'running', owner: 'me' }, false, false],
    ['a call without an owner', { registered: true, status: 'running' }, true, false],
  ] as const)('are right for %s', async (_what, changes, underWay, recoverable) => {
    const { kernel, store, partition } = bareKernel()
    const call = { ...base, ...changes } as CallRow
    await kernel.transact(partition, async (tx) => {
      await tx.read(['call', 'r/c'])
      putCall(tx, 'r/c', call)
    })
    expect(isUnderWay(call)).toBe(underWay)
    // Retention ignores calls that are under way.
    expect((await store.due('call')).nextDue === undefined).toBe(underWay)
    expect((await store.byTag(ownerTag('me'))).rows).toHaveLength(recoverable ? 1 : 0)
  })
})
