import { memoryStore } from '@holdpoint/server/memory'
import { testClock } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, open, person } from './support/world.ts'

test('retention removes the journal of a call with the call, and no journal of other calls', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const holdpoint = open({ store, environment: clock.environment, retention: { endedMs: 5 * 3_600_000 } })
  const session = holdpoint.session('chat', ADA)
  const run = (id: string) => session.toolCall(call(id)).once('mail', () => `sent by ${id}`)
  await run('a')
  await clock.jump('4h')
  // By name one sorts before and one after the dropped ones, and one begins with the same letters.
  for (const id of ['A', 'a2', 'b']) await run(id)
  const partition = engineOf(holdpoint).partition((await engineOf(holdpoint).access(ADA, 'chat', 'read'))!)
  const left = async (kind: 'call' | 'journal') => (await store.list(partition, kind)).map(({ id }) => id.split('/')[1])
  expect(await left('journal')).toEqual(['A', 'a', 'a2', 'b'])
  await clock.advance('3h')
  expect(await left('call')).toEqual(['A', 'a2', 'b'])
  expect(await left('journal')).toEqual(['A', 'a2', 'b'])
})

test('retention removes a journal that is longer than one page', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const holdpoint = open({ store, environment: clock.environment, retention: { endedMs: 5 * 3_600_000 } })
  const context = holdpoint.session('chat', ADA).toolCall(call('a'))
  for (let step = 0; step < 2_050; step++) await context.once(`step ${step}`, () => step)
  const partition = engineOf(holdpoint).partition((await engineOf(holdpoint).access(ADA, 'chat', 'read'))!)
  const left = async (kind: 'call' | 'journal') => (await store.list(partition, kind, { limit: 5_000 })).length
  expect([await left('call'), await left('journal')]).toEqual([1, 2_050])
  await clock.advance('7h')
  expect([await left('call'), await left('journal')]).toEqual([0, 0])
})

test('retention keeps a log that is shorter than its limit', async () => {
  const clock = testClock()
  const said: unknown[] = []
  const write = (...line: unknown[]) => void said.push(line)
  const logger = { debug() {}, info() {}, warn: write, error: write }
  const store = memoryStore({ now: clock.now })
  const holdpoint = open({ store, environment: clock.environment, logger, retention: { events: 100 } })
  await holdpoint.session('chat', ADA).emit({ type: 'content', text: 'hi' })
  await clock.advance('3h')
  expect(await person(holdpoint).events()).toHaveLength(1)
  expect(said).toEqual([])
})
