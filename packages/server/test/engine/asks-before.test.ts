import { seeded } from '@holdpoint/conformance/seeded'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { faultyStore, testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { askingTool, raceToAsk } from './support/asks-before.ts'
import { frozenAfter } from './support/frozen-store.ts'
import { clusters, until } from './support/nodes.ts'
import { ADA, open, person, stores } from './support/world.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1' }
const INPUT = { files: ['a'] }
/** Longer than any pause of a busy machine. */
const LASTING = { timing: { leaseMs: 15_000 } } as const

const none = () => ({ asked: [] as string[], ran: [] as string[] })

describe.each(clusters)('%s', (_name, makeCluster) => {
  test('fifty calls at once on two nodes: each asks once, and its code runs once', async () => {
    const cluster = makeCluster()
    const nodes = [cluster.node(LASTING).holdpoint, cluster.node(LASTING).holdpoint]
    const random = seeded(31)
    for (let round = 0; round < 4; round++) await raceToAsk(nodes, random, 13)
  })

  test('a call whose process dies after its question was asked is recovered, and continues with the answer', async () => {
    const cluster = makeCluster()
    const seen = none()
    const first = cluster.node()
    void first.holdpoint.session('chat', ADA).runTool(askingTool(first.holdpoint, 'first', seen), INPUT, CALL)
    const ada = person(first.holdpoint)
    const question = await ada.next()
    first.kill()
    const second = cluster.node()
    const tool = askingTool(second.holdpoint, 'second', seen)
    await until(async () => (await second.holdpoint.recover()).recovered === 1, 'the recovery')
    await person(second.holdpoint).answer(question, { action: 'approve' })
    expect(await second.holdpoint.session('chat', ADA).runTool(tool, INPUT, CALL)).toEqual({
      status: 'completed',
      result: ['a'],
    })
    expect(seen.ran).toEqual(['call-1 second'])
  })
})

describe.each(stores)('a tool that asks before its code runs, on %s', (_name, makeStore) => {
  function world(options: Parameters<typeof open>[0] = {}) {
    const holdpoint = open({ store: makeStore(), ...LASTING, ...options })
    const seen = none()
    const tool = askingTool(holdpoint, 'only', seen)
    const run = (input = INPUT) => holdpoint.session('chat', ADA).runTool(tool, input, CALL)
    return { holdpoint, seen, tool, run, ada: person(holdpoint), human: testHuman(holdpoint, ADA) }
  }

  test('is recorded with its question, so that a reader sees the start of the call first', async () => {
    const { run, ada, human } = world()
    const running = run()
    const question = await human.next()
    expect((await ada.events()).map(({ type }) => type)).toEqual([
      'tool_call_start',
      'interaction_request',
      'run_status',
    ])
    await human.approve(question)
    expect(await running).toEqual({ status: 'completed', result: ['a'] })
  })

  test('does not ask again for a completed call, and rejects the call with another input', async () => {
    const { run, seen, human } = world()
    const running = run()
    await human.approve(await human.next())
    await running
    expect(await run()).toEqual({ status: 'completed', result: ['a'] })
    await expect(run({ files: ['b'] })).rejects.toMatchObject({ code: 'call_mismatch' })
    expect(seen.ran).toEqual(['call-1 only'])
  })

  test('runs none of its code for a cancelled run, which has no record of the call', async () => {
    const { holdpoint, run, seen, ada } = world()
    await holdpoint.session('chat', ADA).open()
    await holdpoint.session('chat', ADA).cancelRun('run-1', 'enough')
    await expect(run()).rejects.toMatchObject({ outcome: 'cancelled' })
    expect(seen.ran).toEqual([])
    expect((await ada.events()).filter(({ type }) => type === 'tool_call_start')).toEqual([])
  })

  test('that belongs to another user is rejected without a record', async () => {
    const { holdpoint, tool, ada } = world()
    await holdpoint.session('chat', ADA).open()
    const foreign = holdpoint.session('chat', { userId: 'eve' }).runTool(tool, INPUT, CALL)
    await expect(foreign).rejects.toMatchObject({ code: 'session_owner_mismatch' })
    expect(await ada.events()).toEqual([])
  })

  test('is claimed before its code if it asks nothing, and its update comes after its start', async () => {
    const { holdpoint, ada } = world()
    const tool = holdpoint.tool({
      name: 'read_files',
      input: z.object({}),
      before: (_input, ctx) => ctx.update({ status: 'checking' }),
      execute: async () => (await ada.events()).map(({ type }) => type),
    })
    expect(await holdpoint.session('chat', ADA).runTool(tool, {}, CALL)).toEqual({
      status: 'completed',
      result: ['tool_call_start', 'tool_call_update'],
    })
    let times = 0
    const before = () => void times++
    const silent = holdpoint.tool({ name: 'silent', input: z.object({}), before, execute: () => ada.events() })
    const ran = await holdpoint.session('chat', ADA).runTool(silent, {}, { ...CALL, toolCallId: 'call-2' })
    expect((ran as { result: unknown[] }).result.at(-1)).toMatchObject({
      type: 'tool_call_start',
      toolCallId: 'call-2',
    })
    expect(times).toBe(1)
  })

  test('fails with a record if it rejects before it asks, and a repeated call returns that record', async () => {
    const { holdpoint, ada } = world()
    let times = 0
    const tool = holdpoint.tool({
      name: 'delete_files',
      input: z.object({}),
      before: () => {
        times++
        throw new Error('no such folder')
      },
      execute: () => 1,
    })
    const run = () => holdpoint.session('chat', ADA).runTool(tool, {}, CALL)
    await expect(run()).rejects.toThrow('no such folder')
    await expect(run()).rejects.toMatchObject({ code: 'tool_failed' })
    expect((await ada.events()).map(({ type }) => type)).toEqual(['tool_call_start', 'tool_call_complete'])
    expect(times).toBe(2)
  })

  test('is refused once as unavailable if no user is present, and a repeated call returns that outcome', async () => {
    const { holdpoint, ada } = world({ timing: { leaseMs: 15_000, presenceGraceMs: 20 } })
    const tool = holdpoint.tool({
      name: 'delete_files',
      input: z.object({}),
      before: (_input, ctx) => ctx.approve({ prompt: 'Go?', whenUnavailable: 'throw' }),
      execute: () => 1,
    })
    const run = () => holdpoint.session('chat', ADA).runTool(tool, {}, CALL)
    await expect(run()).rejects.toMatchObject({ outcome: 'unavailable' })
    await expect(run()).rejects.toMatchObject({ outcome: 'unavailable' })
    expect((await ada.events()).map(({ type }) => type)).toEqual(['tool_call_start', 'tool_call_complete'])
  })

  test('whose call was erased while its question was open asks again as a new call', async () => {
    const { holdpoint, run, human, seen } = world()
    const running = run()
    const erased = await human.next()
    await holdpoint.eraseSession({ sessionId: 'chat' })
    await until(async () => (await human.waiting()).length > 0, 'the next question')
    const question = await human.next()
    expect(question.interactionId).not.toBe(erased.interactionId)
    await human.approve(question)
    expect(await running).toMatchObject({ status: 'completed' })
    expect(seen.ran).toEqual(['call-1 only'])
  })
})

test('a call that was not stored because the store was away is rejected, and nothing of it remains', async () => {
  const backing = memoryStore()
  const store = faultyStore({ ...backing, close: async () => {} })
  const holdpoint = open({ store, ...LASTING })
  const seen = none()
  const tool = askingTool(holdpoint, 'only', seen)
  const run = () => holdpoint.session('chat', ADA).runTool(tool, INPUT, CALL)
  // The heartbeat is stored.
  await holdpoint.session('other', ADA).open()
  await holdpoint
    .session('other', ADA)
    .toolCall({ ...CALL, toolName: 'x' })
    .once('k', () => 1)
  // As often as a commit is tried. Then the store would accept the failure as the result of the call.
  let failures = 5
  store.onCall(({ name }) => (name === 'load' && failures-- > 0 ? 'fail' : undefined))
  await expect(run()).rejects.toMatchObject({ code: 'store_unavailable' })
  store.onCall(() => undefined)
  expect(await person(holdpoint).events()).toEqual([])
  const human = testHuman(holdpoint, ADA)
  const running = run()
  await human.approve(await human.next())
  expect(await running).toMatchObject({ status: 'completed' })
})

test('code that ignores that its call exists already is not run again', async () => {
  const shared = memoryStore()
  const nodes = [0, 1].map(() => open({ store: { ...shared, close: async () => {} }, ...LASTING }))
  const ran: number[] = []
  const [first, second] = nodes.map((holdpoint, n) =>
    holdpoint.session('chat', ADA).runTool(
      holdpoint.tool({
        name: 'delete_files',
        input: z.object({}),
        before: (_input, ctx) => ctx.approve({ prompt: 'Go?' }).catch(() => 'ignored'),
        execute: () => ran.push(n),
      }),
      {},
      CALL,
    ),
  )
  const human = testHuman(nodes[0]!, ADA)
  await human.approve(await human.next())
  expect(await first).toEqual(await second)
  expect(ran).toHaveLength(1)
})

test('a call in suspend mode stops at its question, and runs its code when it is run again', async () => {
  const seen = none()
  const { shared: _not, ...backing } = memoryStore()
  const store: Store = { ...backing, shared: true }
  const holdpoint = open({ store, waiting: 'suspend', ...LASTING })
  const tool = askingTool(holdpoint, 'only', seen)
  const run = () => holdpoint.session('chat', ADA).runTool(tool, INPUT, CALL)
  const human = testHuman(holdpoint, ADA)
  const stopped = await run()
  const { interactionId } = await human.next()
  expect(stopped).toEqual({ status: 'suspended', interactionIds: [interactionId] })
  expect(await run()).toEqual(stopped)
  await human.approve(await human.next())
  await until(() => seen.ran.length === 1, 'the code')
  expect(await run()).toEqual({ status: 'completed', result: ['a'] })
})

test('a claim that came with a remembered approval and outlasted its lease is checked again before the code runs [T26.2]', async () => {
  const shared: Store = { ...memoryStore(), close: async () => {} }
  const slow = frozenAfter(
    shared,
    (item) => item.puts?.some(({ kind, id }) => kind === 'call' && id.includes('call-1')) ?? false,
  )
  const [first, second] = [slow.store, shared].map((store) => open({ store, timing: { leaseMs: 100 } }))
  const ran: string[] = []
  const run = (node: typeof first, name: string) => {
    const tool = node!.tool({
      name: 'delete_files',
      input: z.object({}),
      before: (_input, ctx) => ctx.approve({ prompt: 'Go?', rememberAs: 'all' }),
      execute: () => {
        ran.push(name)
        return name
      },
    })
    return node!.session('chat', ADA).runTool(tool, {}, CALL)
  }
  const setting = second!.session('chat', ADA).toolCall({ runId: 'run-0', toolCallId: 'set', toolName: 'delete_files' })
  await setting.approvals.set('all', 'session')
  const late = run(first, 'first')
  await until(slow.isFrozen, 'the claim')
  expect(await run(second, 'second')).toEqual({ status: 'completed', result: 'second' })
  slow.thaw()
  expect(await late).toEqual({ status: 'completed', result: 'second' })
  expect(ran).toEqual(['second'])
})
