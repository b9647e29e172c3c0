import { createHoldpoint, type ToolContext } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ADA, call, person } from '../../../test/engine/support/world.ts'
import { recordNow, stepsOf } from '../api/call-steps.ts'

function world() {
  const store = memoryStore()
  let commits = 0
  const counted: typeof store = {
    ...store,
    commit(item) {
      // Nodes and tabs report that they live in partitions of their own.
      if (item.partition.startsWith('s/')) commits++
      return store.commit(item)
    },
  }
  const holdpoint = createHoldpoint({ store: counted })
  onTestFinished(() => holdpoint.close())
  const ctx = () => holdpoint.session('chat', ADA).toolCall(call())
  const shown = async () => {
    const events = await person(holdpoint).events()
    return events.map(({ type, status }) => (type === 'tool_call_update' ? `update ${status}` : type))
  }
  return { holdpoint, ctx, shown, commits: () => commits }
}

const approval = { prompt: 'Delete 3 files?', whenUnavailable: 'wait' } as const
const neverAnswered = (ctx: ToolContext) => void ctx.approve(approval).catch(() => {})

describe('a staged step', () => {
  test('is written by the commit of the next question, with its update before the question', async () => {
    const { holdpoint, ctx, shown, commits } = world()
    const asking = ctx()
    const steps = stepsOf(asking)
    expect(await steps.record('mode', 'strict')).toBe('strict')
    await steps.stage('pending', { update: { status: 'awaiting_confirmation' } })
    const before = commits()
    neverAnswered(asking)
    await person(holdpoint).next()
    expect(commits() - before).toBe(1)
    expect((await shown()).slice(0, 2)).toEqual(['update awaiting_confirmation', 'interaction_request'])
    expect(await stepsOf(ctx()).record('mode', 'lenient')).toBe('strict')
  })

  test('is written by the start of the next effect', async () => {
    const { ctx, shown } = world()
    const working = ctx()
    await stepsOf(working).stage('running', { update: { status: 'running' } })
    expect(await working.once('work', shown)).toEqual(['update running'])
  })

  test('follows the lines that were logged before it', async () => {
    const { ctx, holdpoint } = world()
    const working = ctx()
    // More than one event can hold, so that they take several commits.
    for (let line = 0; line < 250; line++) void working.log(`line ${line}`)
    await stepsOf(working).stage('running', { update: { status: 'running' } })
    await working.once('work', () => {})
    const events = await person(holdpoint).events()
    expect(events.map(({ status }) => status ?? 'lines')).toEqual(['lines', 'lines', 'lines', 'running'])
  })

  test('is written once, also by an execution that stages it again', async () => {
    const { ctx, shown } = world()
    for (let times = 0; times < 3; times++) {
      const working = ctx()
      await stepsOf(working).stage('running', { update: { status: 'running' } })
      await working.once(`work ${times}`, () => {})
      await stepsOf(working).flush()
    }
    expect(await shown()).toEqual(['update running'])
  })

  test('is committed by flush, which commits nothing if nothing is staged', async () => {
    const { ctx, commits } = world()
    const steps = stepsOf(ctx())
    await steps.flush()
    expect(commits()).toBe(0)
    await steps.record('mode', 'strict')
    await steps.flush()
    await steps.flush()
    expect(await stepsOf(ctx()).record('mode', 'lenient')).toBe('strict')
  })

  test('leaves out an output that exceeds the limit of an event', async () => {
    const { ctx, holdpoint } = world()
    const working = ctx()
    await stepsOf(working).stage('pending', { update: { status: 'waiting', output: 'x'.repeat(2_000_000) } })
    await working.once('work', () => {})
    const events = await person(holdpoint).events()
    expect(events).toMatchObject([{ type: 'tool_call_update', status: 'waiting' }])
    expect(events[0]).not.toHaveProperty('output')
  })

  test('of an execution that lost its call is not written', async () => {
    const { ctx } = world()
    const [older, newer] = [ctx(), ctx()]
    await older.once('first', () => {})
    await stepsOf(older).record('mode', 'of the older')
    await newer.once('second', () => {})
    await expect(stepsOf(older).flush()).rejects.toMatchObject({ code: 'ownership_lost' })
    expect(await stepsOf(newer).record('mode', 'of the newer')).toBe('of the newer')
  })
})

test('of 50 calls that record a value at once, all get the value that was recorded first', async () => {
  const { holdpoint } = world()
  const gate = () => holdpoint.session('chat', ADA).gate(call())
  const record = async (n: number): Promise<number> => {
    for (;;) {
      try {
        return await recordNow(gate(), 'claim', n)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ownership_lost') throw error
      }
    }
  }
  const got = await Promise.all(Array.from({ length: 50 }, (_, n) => record(n)))
  expect(new Set(got).size).toBe(1)
})

test('a context that the host made by itself records steps with once and update', async () => {
  const recorded = new Map<string, unknown>()
  const updates: unknown[] = []
  const own = {
    async once(key: string, effect: () => unknown) {
      if (!recorded.has(key)) recorded.set(key, await effect())
      return recorded.get(key)
    },
    update: async (update: unknown) => void updates.push(update),
  } as unknown as ToolContext
  const steps = stepsOf(own)
  expect([await steps.record('mode', 1), await steps.record('mode', 2)]).toEqual([1, 1])
  for (let times = 0; times < 2; times++) await steps.stage('pending', { update: { status: 'waits' } })
  expect(updates).toEqual([{ status: 'waits' }])
  expect([await recordNow(own, 'mode', 3), await recordNow(own, 'new', 4)]).toEqual([1, 4])
})
