import { seeded } from '@holdpoint/conformance/seeded'
import type { Holdpoint, ToolContext } from '@holdpoint/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { stepsOf } from '../../src/engine/api/call-steps.ts'
import { clusters } from './support/nodes.ts'
import { ADA, call, open, person, stores } from './support/world.ts'

const IDS = { runId: 'run-1', toolCallId: 'call-1' }
const WAITING = { code: 'interaction_waiting' }
const MISMATCH = { code: 'call_mismatch' }
const approve = (ctx: ToolContext) => ctx.approve({ prompt: 'Delete?', whenUnavailable: 'wait' })

/** A call that asks at a gate before it runs. */
function gatedCall(holdpoint: Holdpoint, ran: unknown[] = []) {
  const session = holdpoint.session('chat', ADA)
  const tool = holdpoint.tool({
    name: 'delete_files',
    input: z.object({ n: z.number() }),
    before: (_input, ctx) => approve(ctx),
    execute: ({ n }) => {
      ran.push(n)
      return n
    },
  })
  return {
    gate: (n = 1) => approve(session.gate({ ...call(), input: { n } })),
    run: (n = 1) => session.runTool(tool, { n }, IDS),
    session,
    ada: person(holdpoint),
  }
}

describe.each(stores)('a gate that is bound to the input of its call, on %s', (_name, makeStore) => {
  function world(options: Parameters<typeof open>[0] = {}) {
    const store = makeStore()
    let commits = 0
    const counted: typeof store = {
      ...store,
      shared: true,
      commit(item) {
        // Not those of deliveries, nodes and tabs.
        if (item.partition.startsWith('s/') && !item.puts?.every(({ kind }) => kind === 'delivery')) commits++
        return store.commit(item)
      },
    }
    const ran: unknown[] = []
    const holdpoint = open({ store: counted, ...options })
    /** The commits of this work to the session. */
    const cost = async (work: () => Promise<unknown>) => {
      const before = commits
      await work()
      return commits - before
    }
    return { holdpoint, ran, cost, ...gatedCall(holdpoint, ran) }
  }

  test.each(['inline', 'suspend'] as const)('writes only its question (waiting: %s)', async (waiting) => {
    const { gate, run, ada, cost, ran } = world({ waiting })
    expect(await cost(() => expect(gate()).rejects.toMatchObject(WAITING))).toBe(1)
    expect(await cost(() => expect(gate()).rejects.toMatchObject(WAITING))).toBe(0)
    await ada.answer(await ada.next(), { action: 'approve' })
    expect(await cost(async () => expect(await gate()).toMatchObject({ outcome: 'approved' }))).toBe(0)
    // The begin of the call with the outcome, and its end.
    expect(await cost(async () => expect(await run()).toEqual({ status: 'completed', result: 1 }))).toBe(2)
    expect(ran).toEqual([1])
    const { interactions } = await ada.snapshot()
    expect(interactions.map(({ response }) => response)).toMatchObject([{ action: 'approve' }])
    await expect(gate()).rejects.toMatchObject({ code: 'call_begun' })
  })

  test('reads a denial, which the call then records as its end', async () => {
    const { gate, run, ada, cost, ran } = world()
    await expect(gate()).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'deny' })
    expect(await cost(() => expect(gate()).rejects.toMatchObject({ outcome: 'denied' }))).toBe(0)
    await expect(run()).rejects.toMatchObject({ outcome: 'denied' })
    await expect(run()).rejects.toMatchObject({ outcome: 'denied' })
    expect(ran).toEqual([])
    expect((await ada.events()).filter(({ type }) => type === 'tool_call_complete')).toHaveLength(1)
  })

  test('rejects another input, and so does the call, before and after it has begun', async () => {
    const { gate, run, ada, session, ran } = world()
    await expect(gate()).rejects.toMatchObject(WAITING)
    const others = async () => {
      await expect(gate(2)).rejects.toMatchObject(MISMATCH)
      await expect(run(2)).rejects.toMatchObject(MISMATCH)
    }
    await others()
    const other = session.gate({ ...call(), toolName: 'delete_all', input: { n: 1 } })
    await expect(approve(other)).rejects.toMatchObject(MISMATCH)
    await ada.answer(await ada.next(), { action: 'approve' })
    await others()
    expect(await run()).toEqual({ status: 'completed', result: 1 })
    await others()
    expect(ran).toEqual([1])
  })

  test('records the outcome that a handler decides, because code of the host has run', async () => {
    const { holdpoint, ada, cost } = world()
    const gate = () =>
      holdpoint
        .session('chat', ADA)
        .gate({ ...call(), input: { n: 1 } })
        .approve({ prompt: 'Delete?', args: { n: 1 }, editable: true, whenUnavailable: 'wait' })
    await expect(gate()).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'approve', args: { n: 2 } })
    expect(await cost(async () => expect(await gate()).toMatchObject({ args: { n: 2 }, edited: true }))).toBe(2)
    expect(await cost(async () => expect(await gate()).toMatchObject({ args: { n: 2 }, edited: true }))).toBe(0)
  })

  test('stores a new wake value with the open question', async () => {
    const { holdpoint, cost } = world()
    const gate = (wake: string) =>
      approve(holdpoint.session('chat', ADA).gate({ ...call(), input: { n: 1 }, wake })).catch(({ code }) => code)
    expect(await cost(async () => expect(await gate('one')).toBe(WAITING.code))).toBe(1)
    expect(await cost(async () => expect(await gate('one')).toBe(WAITING.code))).toBe(0)
    expect(await cost(async () => expect(await gate('two')).toBe(WAITING.code))).toBe(1)
  })

  test('does not let a cancelled run continue', async () => {
    const { gate, run, ada, session, ran } = world()
    await expect(gate()).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'approve' })
    await session.cancelRun('run-1')
    await expect(gate()).rejects.toMatchObject({ outcome: 'cancelled' })
    await expect(run()).rejects.toMatchObject({ outcome: 'cancelled' })
    expect(ran).toEqual([])
  })

  test('belongs to the owner of the session', async () => {
    const { gate, ada, holdpoint } = world()
    await expect(gate()).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'approve' })
    const foreign = holdpoint.session('chat', { userId: 'bob' }).gate({ ...call(), input: { n: 1 } })
    await expect(approve(foreign)).rejects.toMatchObject({ code: 'session_owner_mismatch' })
  })

  test('keeps what the gate recorded: a call that stages steps before its question is begun by its record', async () => {
    const { holdpoint, ada } = world()
    const ask = async (ctx: ToolContext) => {
      const mode = await stepsOf(ctx).record('mode', 'first')
      await approve(ctx)
      return mode
    }
    const session = holdpoint.session('chat', ADA)
    await expect(ask(session.gate({ ...call(), input: {} }))).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'approve' })
    const tool = holdpoint.tool({
      name: 'delete_files',
      input: z.object({}),
      before: async (_input, ctx) => {
        const mode = await stepsOf(ctx).record('mode', 'second')
        await approve(ctx)
        return mode
      },
      execute: (_input, { before }) => before,
    })
    expect(await session.runTool(tool, {}, IDS)).toEqual({ status: 'completed', result: 'first' })
  })
})

describe.each(clusters)('%s', (_name, makeCluster) => {
  test('50 gates and calls at once on two nodes run the tool once, and all receive its result', async () => {
    const cluster = makeCluster()
    const timing = { leaseMs: 15_000 }
    const ran: unknown[] = []
    const nodes = [1, 2].map(() => gatedCall(cluster.node({ timing }).holdpoint, ran))
    const random = seeded(7)
    const { gate, ada } = nodes[0]!
    await expect(gate()).rejects.toMatchObject(WAITING)
    await ada.answer(await ada.next(), { action: 'approve' })
    const passed = async ({ gate, run }: (typeof nodes)[number]) => {
      const { code } = await gate().catch((error) => error)
      expect([undefined, 'call_begun']).toContain(code)
      return await run()
    }
    const all = await Promise.all(Array.from({ length: 50 }, () => passed(nodes[random() < 0.5 ? 0 : 1]!)))
    expect(all).toEqual(Array(50).fill({ status: 'completed', result: 1 }))
    expect(ran).toEqual([1])
  })
})
