import { InteractionRefused } from '@holdpoint/server'
import { testAccounts, testHuman } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clusters } from '../engine/support/nodes.ts'
import { ADA, open, person } from '../engine/support/world.ts'
import { type Effect, editTool } from './support/edit-tool.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1' }

describe.each(clusters)('%s: a confirmation after execution', (_name, makeCluster) => {
  function world() {
    const { holdpoint } = makeCluster().node()
    const effects: Effect[] = []
    const tool = editTool(holdpoint, effects)
    const session = holdpoint.session('chat', ADA)
    const run = () => session.runTool(tool, { path: 'a.txt' }, CALL)
    const shown = async () =>
      (await person(holdpoint).events())
        .filter(({ type }) => type === 'tool_call_update' || type === 'tool_call_complete')
        .map(({ status, output }) => ({ status, output }))
    return { holdpoint, session, effects, run, shown, human: testHuman(holdpoint, ADA) }
  }
  const done = (effects: readonly Effect[]) => effects.map(([what]) => what)

  test('that is approved runs the deferred effect once, and its output replaces the pending one', async () => {
    const { human, run, effects, shown } = world()
    const running = run()
    const question = await human.next()
    expect(question.request).toMatchObject({ diff: [{ path: 'a.txt' }] })
    expect(done(effects)).toEqual(['proposed'])
    expect(await shown()).toMatchObject([{ status: 'awaiting_confirmation', output: { diff: [{ path: 'a.txt' }] } }])
    await human.approve(question)
    const result = { applied: ['h1', 'h2'] }
    expect(await running).toEqual({ status: 'completed', result })
    expect(await run()).toEqual({ status: 'completed', result })
    expect(done(effects)).toEqual(['proposed', 'applied'])
    expect((await shown()).at(-1)).toEqual({ status: 'completed', output: result })
  })

  test('of some hunks applies only those', async () => {
    const { human, run, effects, shown } = world()
    const running = run()
    await human.approve(await human.next(), { diffDecisions: { h1: 'accept', h2: 'reject' } })
    expect(await running).toEqual({ status: 'completed', result: { applied: ['h1'], left: ['h2'] } })
    expect(done(effects)).toEqual(['proposed', 'applied in part'])
    expect((await shown()).at(-1)).toMatchObject({ status: 'completed', output: { applied: ['h1'] } })
  })

  test.each([
    ['denied', { outcome: 'denied', reason: 'not now' }],
    ['every hunk rejected', { outcome: 'declined' }],
    ['the person continued without answering', { outcome: 'superseded' }],
  ] as const)(
    'that ends (%s) runs the declined effect once, whose output becomes the output of the call',
    async (how, facts) => {
      const { human, session, run, effects, shown } = world()
      const running = run().catch((error: unknown) => error)
      const question = await human.next()
      if (how === 'denied') await human.deny(question, 'not now')
      else if (how === 'every hunk rejected')
        await human.approve(question, { diffDecisions: { h1: 'reject', h2: 'reject' } })
      else await session.declineWaiting()
      const refused = await running
      expect(refused).toMatchObject({
        name: 'InteractionRefused',
        output: { reverted: 'a.txt', outcome: facts.outcome },
      })
      await expect(run()).rejects.toMatchObject({ output: { reverted: 'a.txt' } })
      expect(done(effects)).toEqual(['proposed', 'reverted'])
      expect((await shown()).at(-1)).toMatchObject({ status: 'declined', output: { reverted: 'a.txt' } })
    },
  )

  test('of a cancelled run has no effects', async () => {
    const { human, session, run, effects, shown } = world()
    const running = run().catch((error: unknown) => error)
    await human.next()
    await session.cancelRun('run-1')
    expect(await running).toMatchObject({ outcome: 'cancelled' })
    expect(done(effects)).toEqual(['proposed'])
    expect((await shown()).at(-1)).toEqual({ status: 'cancelled', output: undefined })
  })

  test('threat 24: that is repeated or arrives twice has no further effect', async () => {
    const { human, holdpoint, run, effects } = world()
    const running = run()
    const question = await human.next()
    await human.approve(question, { answerId: 'yes-1' })
    await running
    await human.approve(question, { answerId: 'yes-1' })
    await expect(human.approve(question, { answerId: 'yes-2' })).rejects.toMatchObject({ code: 'already_answered' })
    const other = testHuman(holdpoint, { userId: 'eve' })
    await expect(other.approve(question, { answerId: 'yes-3' })).rejects.toMatchObject({ code: 'not_found' })
    expect(done(effects)).toEqual(['proposed', 'applied'])
  })
})

test('a confirmation that requests accounts runs the deferred effect when they are connected', async () => {
  const accounts = testAccounts()
  const holdpoint = open({ accounts })
  const human = testHuman(holdpoint, { ...ADA, accounts })
  const saved: string[] = []
  const tool = holdpoint.tool(
    withPolicy(
      {
        name: 'authenticate',
        input: z.object({ system: z.string() }),
        execute: ({ system }) => ({ system, state: 'pending' }),
      },
      {
        mode: 'confirm_after_execution',
        review: ({ system }) => ({ integrations: [system], reason: 'to read your channels' }),
        effects: {
          connected: async ({ system }, { accounts }) => {
            saved.push((await accounts[system]?.token()) ?? '')
            return { system, state: 'connected' }
          },
        },
      },
    ),
  )
  const running = holdpoint.session('chat', ADA).runTool(tool, { system: 'slack' }, CALL)
  await human.next({ kind: 'connect' })
  expect(saved).toEqual([])
  await human.connect('slack')
  expect(await running).toEqual({ status: 'completed', result: { system: 'slack', state: 'connected' } })
  expect(saved).toEqual(['test-token:ada:slack'])
})

test('an approval before execution may reject hunks, and the tool receives the decisions', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const hunk = (id: string) => ({ id, oldStart: 1, newStart: 1, lines: ['+x'] })
  const tool = holdpoint.tool(
    withPolicy(
      {
        name: 'patch',
        input: z.object({}),
        execute: (_input, { confirmation: { accepted, rejected } }) => ({ accepted, rejected }),
      },
      { confirm: () => ({ prompt: 'Apply?', diff: [{ path: 'a', hunks: [hunk('1'), hunk('2')] }] }) },
    ),
  )
  const running = holdpoint.session('chat', ADA).runTool(tool, {}, CALL)
  await human.approve(await human.next(), { diffDecisions: { '1': 'accept', '2': 'reject' } })
  expect(await running).toEqual({ status: 'completed', result: { accepted: ['1'], rejected: ['2'] } })
})

test('a refusal whose output cannot be recorded is recorded without the output', async () => {
  const holdpoint = open()
  const tool = holdpoint.tool({
    name: 'odd',
    input: z.object({}),
    execute: (): never => {
      throw new InteractionRefused('declined', { reason: 'no', output: 1n })
    },
  })
  const run = () => holdpoint.session('chat', ADA).runTool(tool, {}, CALL)
  await expect(run()).rejects.toMatchObject({ outcome: 'declined' })
  await expect(run()).rejects.toMatchObject({ outcome: 'declined', reason: 'no' })
})
