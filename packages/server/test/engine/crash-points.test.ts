import { isHoldpointError } from '@holdpoint/core'
import type {
  AskedNotice,
  FollowUpDelivery,
  Holdpoint,
  SettledNotice,
  ToolContext,
  ToolResultDelivery,
} from '@holdpoint/server'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, type TestClock, testClock, testHuman } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Fault } from '../../src/testing/faulty-store.ts'
import { type Acknowledged, checkHistory } from './support/check-history.ts'
import { ADA, call, person } from './support/world.ts'

/**
 * The process fails at its first call to the store, at its second, at its third, and so on, in each of four ways, under
 * a clock of the test. Then another process starts. The user must not notice any of these failures.
 */
const FAULTS: readonly Fault[] = ['fail', 'lose the answer', 'die before', 'die after']

interface World {
  clock: TestClock
  /** The runs, the deliveries, and the results of promises. */
  seen: {
    effects: string[]
    handled: string[]
    results: ToolResultDelivery[]
    followUps: FollowUpDelivery[]
    promised: unknown[]
    asked: AskedNotice[]
    settled: SettledNotice[]
  }
}
type LogEvent = Awaited<ReturnType<ReturnType<typeof person>['events']>>[number]

interface Scenario {
  name: string
  /** Called for each process; `first` is true for the one that will fail. */
  begin(holdpoint: Holdpoint, world: World, first: boolean): void
  /** The person's answer to each question. */
  answer: 'approve' | 'deny'
  /** Whether the processes have `onAsked` and `onSettled`. */
  notices?: boolean
  /** How long nothing is answered. */
  silence?: string
  check(world: World, acknowledged: readonly Acknowledged[], log: readonly LogEvent[]): void
}

const swallow = (promise: Promise<unknown>, world: World) =>
  void promise.then(
    (value) => world.seen.promised.push(value),
    (error: { code?: string; name?: string }) => world.seen.promised.push(error.code ?? error.name),
  )

/** A tool that asks, has one effect, and is run by its host in each process. */
function runAgain(name: string, asks: 'in execute' | 'before execute'): Scenario {
  const ask = async (ctx: ToolContext) => (await ctx.tryApprove({ rememberAs: 'deploy', prompt: 'Deploy?' })).outcome
  return {
    name,
    answer: 'approve',
    begin(holdpoint, world) {
      const tool = holdpoint.tool({
        name: 'deploy',
        input: z.object({}),
        ...(asks === 'before execute' && { before: (_input: unknown, ctx: ToolContext) => ask(ctx) }),
        execute: async (_input, ctx: ToolContext & { before?: string }) => {
          const outcome = ctx.before ?? (await ask(ctx))
          return await ctx.once('effect', ({ idempotencyKey }) => {
            world.seen.effects.push(idempotencyKey)
            return outcome
          })
        },
      })
      swallow(holdpoint.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' }), world)
    },
    check({ seen }) {
      // Once, or again with the same key because it died inside.
      expect(new Set(seen.effects).size).toBe(1)
      const promised = seen.promised.filter((value) => typeof value === 'object')
      const outcomes = [...promised, ...seen.results.map(({ result }) => ({ status: 'completed', result }))]
      expect(outcomes.length).toBeGreaterThan(0)
      for (const outcome of outcomes) expect(outcome).toEqual({ status: 'completed', result: 'approved' })
      expect(new Set(seen.results.map(({ deliveryId }) => deliveryId)).size).toBeLessThanOrEqual(1)
      expect(seen.followUps).toEqual([])
    },
  }
}

/** A call whose questions are asked at a gate, as bridges do, and that is run once they are settled. */
function gated(name: string): Scenario {
  return {
    ...runAgain(name, 'before execute'),
    begin(holdpoint, world) {
      const { environment } = world.clock
      const session = holdpoint.session('chat', ADA)
      const ids = { runId: 'run-1', toolCallId: 'call-1' }
      const ask = async (ctx: ToolContext) => (await ctx.tryApprove({ prompt: 'Deploy?' })).outcome
      const tool = holdpoint.tool({
        name: 'deploy',
        input: z.object({}),
        before: (_input, ctx) => ask(ctx),
        execute: async (_input, ctx) =>
          await ctx.once('effect', ({ idempotencyKey }) => {
            world.seen.effects.push(idempotencyKey)
            return ctx.before
          }),
      })
      const host = async () => {
        for (;;) {
          try {
            await ask(session.gate({ ...ids, toolName: 'deploy', input: {} }))
            return await session.runTool(tool, {}, ids)
          } catch (error) {
            if (isHoldpointError(error, 'call_begun')) return await session.runTool(tool, {}, ids)
            await new Promise<void>((resolve) => environment.setTimeout(resolve, 1_000, true))
          }
        }
      }
      swallow(host(), world)
    },
  }
}

/** A tool with a policy, whose steps are recorded together with its question and its work. */
function guarded(name: string, mode: 'confirm_before_execution' | 'confirm_after_execution'): Scenario {
  return {
    name,
    answer: 'approve',
    begin(holdpoint, world) {
      const tool = holdpoint.tool(
        withPolicy(
          {
            name: 'deploy',
            input: z.object({}),
            execute: (_input, { idempotencyKey }) => {
              world.seen.effects.push(idempotencyKey)
              return 'deployed'
            },
          },
          {
            mode,
            confirm: () => ({ prompt: 'Deploy?' }),
            pending: () => 'deploys',
            effects: {
              confirmed(_result, { idempotencyKey }) {
                world.seen.handled.push(idempotencyKey)
                return 'kept'
              },
            },
          },
        ),
      )
      swallow(holdpoint.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' }), world)
    },
    check({ seen }, acknowledged, log) {
      const after = mode === 'confirm_after_execution'
      expect(acknowledged.length).toBeLessThanOrEqual(1)
      // Once, or again with the same key because it died inside.
      expect(new Set(seen.effects).size).toBe(1)
      expect(new Set(seen.handled).size).toBe(after ? 1 : 0)
      const promised = seen.promised.filter((value) => typeof value === 'object')
      const outcomes = [...promised, ...seen.results.map(({ result }) => ({ status: 'completed', result }))]
      expect(outcomes.length).toBeGreaterThan(0)
      for (const outcome of outcomes)
        expect(outcome).toEqual({ status: 'completed', result: after ? 'kept' : 'deployed' })
      // Clients show one question, and each status once.
      const statuses = log.filter(({ type }) => type === 'tool_call_update').map(({ status }) => status)
      expect(statuses).toEqual(after ? ['awaiting_confirmation'] : ['awaiting_confirmation', 'running'])
      expect(log.filter(({ type }) => type === 'interaction_request')).toHaveLength(1)
      expect(log.filter(({ type }) => type === 'tool_call_complete')).toHaveLength(1)
    },
  }
}

const scenarios: Scenario[] = [
  guarded('a tool with a policy that asks before it runs', 'confirm_before_execution'),
  guarded('a tool with a policy that asks about its result', 'confirm_after_execution'),
  runAgain('a registered tool that its host runs again', 'in execute'),
  runAgain('a registered tool that asks before its code, and that its host runs again', 'before execute'),
  gated('a call whose questions are asked at a gate, and that its host runs again'),
  {
    name: 'a bare call that its host makes again',
    answer: 'deny',
    begin(holdpoint, world) {
      let prompts = 0
      const asking = holdpoint
        .session('chat', ADA)
        .toolCall(call())
        .requestInteraction({
          type: 'approval',
          key: 'k',
          prompt: 'Go?',
          whenUnavailable: 'wait',
          onResponse: ({ action }, { attempt, idempotencyKey }) => {
            world.seen.handled.push(idempotencyKey)
            prompts = attempt
            return attempt === 1 ? { reprompt: { error: 'Really?' } } : { complete: `${action} ${prompts}` }
          },
        })
      swallow(asking, world)
    },
    check({ seen }) {
      const values = [...seen.promised.filter((value) => !isLoss(value)), ...seen.results.map(({ result }) => result)]
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) expect(value).toBe('deny 2')
      expect(new Set(seen.handled).size).toBe(2)
      expect(seen.followUps).toEqual([])
    },
  },
  {
    name: 'a bare call that is not repeated',
    answer: 'approve',
    begin(holdpoint, world, first) {
      if (!first) return void holdpoint.recover()
      swallow(holdpoint.session('chat', ADA).toolCall(call()).approve({ rememberAs: 'k', prompt: 'Go?' }), world)
    },
    check({ seen }, acknowledged) {
      if (acknowledged.length === 0) return
      // Nothing is answered into the void: the promise has it, or it left as a follow-up.
      const promised = seen.promised.filter((value) => typeof value === 'object')
      expect(promised.length + seen.followUps.length).toBeGreaterThan(0)
      expect(new Set(seen.followUps.map(({ deliveryId }) => deliveryId)).size).toBeLessThanOrEqual(1)
    },
  },
  {
    name: 'a tool that is only recovered, whose question is deferred and answered late',
    answer: 'approve',
    silence: '2m',
    begin(holdpoint, world, first) {
      const tool = holdpoint.tool({
        name: 'later',
        input: z.object({}),
        execute: async (_input, ctx) =>
          await ctx.requestInteraction({
            type: 'approval',
            key: 'k',
            prompt: 'Go?',
            timeoutMs: 60_000,
            whenUnavailable: 'wait',
            onResponse: () => ({ complete: 'in time' }),
            onTimeout: ({ idempotencyKey }) => {
              world.seen.effects.push(idempotencyKey)
              return { pending: { message: 'later' } }
            },
          }),
      })
      const running = () => holdpoint.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
      if (first) swallow(running(), world)
      else void holdpoint.recover()
    },
    check({ seen }, acknowledged) {
      // A process that died before it began has left nothing to recover.
      expect(new Set(seen.effects).size).toBe(acknowledged.length)
      const pending = { pending: true, queued: true, message: 'later' }
      const promised = seen.promised.filter((value) => typeof value === 'object')
      const outcomes = [...promised, ...seen.results.map(({ result }) => ({ status: 'completed', result }))]
      for (const outcome of outcomes) expect(outcome).toEqual({ status: 'completed', result: pending })
      const ids = new Set(seen.followUps.map(({ deliveryId }) => deliveryId))
      expect(ids.size).toBe(acknowledged.length)
    },
  },
  {
    name: 'a gate whose asker is notified of the question and of its end',
    answer: 'approve',
    notices: true,
    begin(holdpoint, world) {
      const gate = holdpoint.session('chat', ADA).gate({ ...call(), wake: 'workflow-7' })
      swallow(gate.approve({ rememberAs: 'k', prompt: 'Go?' }), world)
    },
    check({ seen }) {
      // An answer whose acknowledgement was lost counts as well.
      const interactionId = seen.settled[0]?.interactionId
      // At least once, under one id. Dying before the hook's end was recorded repeats it.
      expect(new Set(seen.asked.map(({ deliveryId }) => deliveryId))).toEqual(new Set([`${interactionId}.asked`]))
      const ends = new Set(seen.settled.map(({ deliveryId, outcome, wake }) => `${deliveryId} ${outcome} ${wake}`))
      expect(ends).toEqual(new Set([`${interactionId}.approved approved workflow-7`]))
      expect(seen.asked.length + seen.settled.length).toBeLessThanOrEqual(3)
    },
  },
]

/** An execution that was displaced, or whose store was away, has no value. */
const isLoss = (value: unknown) => value === 'ownership_lost' || value === 'store_unavailable'

async function run(scenario: Scenario, fault?: Fault, at = 0): Promise<{ calls: number; failed: boolean }> {
  const clock = testClock()
  const backing = memoryStore({ now: clock.now })
  const seen: World['seen'] = {
    effects: [],
    handled: [],
    results: [],
    followUps: [],
    promised: [],
    asked: [],
    settled: [],
  }
  const world = { clock, seen }
  const store = faultyStore({ ...backing, close: async () => {} })
  let failed = false
  if (fault) {
    store.onCall(({ number }) => {
      if (number !== at) return undefined
      failed = true
      return fault
    })
  }
  const options = {
    environment: clock.environment,
    timing: { leaseMs: 5_000, orphanAfterMs: 10_000 },
    hooks: {
      onToolResult: (delivery: ToolResultDelivery) => void seen.results.push(delivery),
      onFollowUp: (delivery: FollowUpDelivery) => void seen.followUps.push(delivery),
      ...(scenario.notices && {
        onAsked: (notice: AskedNotice) => void seen.asked.push(notice),
        onSettled: (notice: SettledNotice) => void seen.settled.push(notice),
      }),
    },
  }
  const first = createHoldpoint({ ...options, store })
  scenario.begin(first, world, true)
  await clock.advance('1s')
  if (scenario.silence) await clock.advance(scenario.silence)

  // The person uses the first process while it lives, and retries without a response.
  const acknowledged: Acknowledged[] = []
  const answered = new Set<string>()
  const answerAll = async (holdpoint: Holdpoint) => {
    const human = testHuman(holdpoint, { ...ADA, present: false })
    for (const question of await human.waiting().catch(() => [])) {
      if (answered.has(question.interactionId)) continue
      const answerId = `answer to ${question.interactionId}`
      const said = await human[scenario.answer](
        question,
        ...((scenario.answer === 'approve' ? [{ answerId }] : []) as []),
      ).then(
        () => true,
        () => false,
      )
      if (!said) continue
      answered.add(question.interactionId)
      acknowledged.push({ interactionId: question.interactionId, answerId, action: scenario.answer })
    }
  }
  const settled = (work: Promise<void>) => Promise.race([work, clock.advance('5s')])
  for (let round = 0; round < 3; round++) await settled(answerAll(first))

  const second = createHoldpoint({ ...options, store: backing })
  scenario.begin(second, world, false)
  await clock.advance('10s')
  if (scenario.silence) await clock.advance(scenario.silence)
  for (let round = 0; round < 4; round++) {
    await answerAll(second)
    await clock.advance('20s')
  }
  await clock.advance('1m')
  await checkHistory(second, acknowledged)
  scenario.check(world, acknowledged, await person(second).events())
  await second.close()
  if (!store.dead) await first.close()
  return { calls: store.calls, failed }
}

describe.each(scenarios)('$name', (scenario) => {
  test.each(FAULTS)('at every call to the store: %s [R3.2]', { timeout: 120_000 }, async (fault) => {
    const { calls } = await run(scenario)
    let failures = 0
    // Calls late in the run are heartbeats and polls: those of the first minute are the ones that matter.
    for (let at = 1; at <= Math.min(calls, 60); at++) {
      try {
        if ((await run(scenario, fault, at)).failed) failures++
      } catch (error) {
        throw new Error(`${scenario.name}: ${fault} at call ${at}`, { cause: error })
      }
    }
    expect(failures).toBeGreaterThan(10)
  })
})
