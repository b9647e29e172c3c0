import type { LifecycleEvent } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { LATE } from './support/late.ts'
import { ADA, call, open, person } from './support/world.ts'

/** The events about runs and the processes behind them. */
function world() {
  const clock = testClock()
  const backing = memoryStore({ now: clock.now })
  const node = (name: string) => {
    const store = faultyStore({ ...backing, shared: true, close: async () => {} })
    const events: LifecycleEvent[] = []
    const onEvent = (event: LifecycleEvent) => void events.push(event)
    const holdpoint = open({ store, environment: clock.environment, hooks: { onEvent, onToolResult: () => {} } })
    return { name, store, holdpoint, events, session: holdpoint.session('chat', ADA), ada: person(holdpoint) }
  }
  return { clock, node }
}
type Node = ReturnType<ReturnType<typeof world>['node']>
const statuses = async ({ ada }: Node) =>
  (await ada.events()).flatMap(({ type, status }) => (type === 'run_status' ? [status] : []))

test('a run emits one status for any number of questions, and one more when it continues after a cancellation', async () => {
  const { clock, node } = world()
  const one = node('one')
  const human = testHuman(one.holdpoint, ADA)
  const asking = ['a', 'b'].map((id) => one.session.toolCall(call(id)).tryApprove({ prompt: `${id}?` }))
  await clock.settle()
  expect(await human.waiting()).toHaveLength(2)
  expect(await statuses(one)).toEqual(['awaiting_approval'])
  for (const { interactionId } of await human.waiting()) await one.holdpoint.cancelInteraction(interactionId)
  expect(await Promise.all(asking)).toMatchObject([{ outcome: 'cancelled' }, { outcome: 'cancelled' }])
  expect(await statuses(one)).toEqual(['awaiting_approval', 'running'])
})

test('cancelling a session also cancels a run that has only a deferred question', async () => {
  const { clock, node } = world()
  const [one, two] = [node('one'), node('two')]
  const waiting = one.session.toolCall(call()).requestInteraction(LATE)
  await testHuman(two.holdpoint, ADA).next()
  await clock.advance('1s')
  await waiting
  await two.session.cancel()
  expect((await statuses(two)).at(-1)).toBe('cancelled')
})

test('a question whose process died is decided by another process shortly after its timeout', async () => {
  const { clock, node } = world()
  const [one, two] = [node('one'), node('two')]
  void one.session
    .toolCall(call())
    .requestInteraction(LATE)
    .catch(() => {})
  await testHuman(two.holdpoint, ADA).next()
  one.store.down()
  await clock.advance('900ms')
  expect(two.events.map(({ type }) => type)).not.toContain('timed_out')
  await clock.advance('1s')
  await two.holdpoint.tick()
  expect(two.events.map(({ type }) => type)).toContain('timed_out')
})

test('a settings page lists a choice with the tool that it belongs to', async () => {
  const { node } = world()
  const { holdpoint } = node('one')
  const policy = { mode: 'confirm_before_execution', choices: { all: 'auto' } } as const
  for (const name of ['chosen', 'other']) {
    holdpoint.tool(withPolicy({ name, input: z.object({}), execute: () => 'done' }, policy))
  }
  await holdpoint.toolSettings.set({ ...ADA, toolName: 'chosen', choice: 'all' })
  const { body } = await engineOf(holdpoint).toolSettings(ADA)
  expect(body).toMatchObject({
    toolSettings: [
      { toolName: 'chosen', choice: 'all' },
      { toolName: 'other', choice: null },
    ],
  })
})

test('the questions of a cancelled session end at the time of the store', async () => {
  const { clock, node } = world()
  const one = node('one')
  const asking = one.session.toolCall(call('a')).tryApprove({ prompt: 'a?' })
  await clock.settle()
  await one.session.cancel()
  expect(await asking).toMatchObject({ outcome: 'cancelled' })
  const closed = (await one.ada.events()).find(({ type }) => type === 'interaction_closed')
  expect(closed?.timestamp).toBe(new Date(clock.now()).toISOString())
})

test('questions that a new message declines end at the time of the store', async () => {
  const { clock, node } = world()
  const one = node('one')
  const asking = one.session.toolCall(call('a')).tryApprove({ prompt: 'a?' })
  await clock.settle()
  await one.session.declineWaiting()
  expect(await asking).toMatchObject({ outcome: 'superseded' })
  const closed = (await one.ada.events()).find(({ type }) => type === 'interaction_closed')
  expect(closed?.timestamp).toBe(new Date(clock.now()).toISOString())
})
