import { memoryStore } from '@holdpoint/server/memory'
import type { LogEvent, Store } from '@holdpoint/server/store'
import { expect, test } from 'vitest'
import { acknowledged, checkLog } from './history.ts'

/** A store whose log of `p` contains these events, regardless of commits. */
function lying(events: LogEvent[], head = events.length): Store {
  const readLog: Store['readLog'] = async (_partition, { from, limit }) => {
    return { epoch: 'e1', head, floor: 1, events: events.filter(({ seq }) => seq >= from).slice(0, limit) }
  }
  return { ...memoryStore(), readLog }
}

const event = (seq: number, json = `"${seq}"`) => ({ seq, json })
const ack = (seq: number, json = `"${seq}"`) => ({ partition: 'p', seq, json })

test('a log that contains all acknowledged events is accepted, also with more events behind them', async () => {
  expect(await checkLog(lying([event(1), event(2), event(3)]), 'p', [ack(1), ack(2)])).toEqual([])
})

test.each([
  ['a lost event', [event(1)], [ack(1), ack(2)]],
  ['another event in its position', [event(1), event(2, '"x"')], [ack(2)]],
  ['a gap', [event(1), event(3)], []],
  ['a duplicate', [event(1, '"x"'), event(2, '"x"')], []],
])('the check of a log detects %s', async (_name, events, acks) => {
  expect(await checkLog(lying(events), 'p', acks)).not.toEqual([])
})

test('the check of a log detects a head without an event', async () => {
  expect(await checkLog(lying([event(1)], 2), 'p', [])).not.toEqual([])
})

test('the check of a log detects a commit result whose range does not match its events', () => {
  const answer = { ok: true as const, epoch: 'e1', firstSeq: 3, lastSeq: 3 }
  expect(() => acknowledged({ partition: 'p', events: ['1', '2'] }, answer)).toThrow('2 events')
})
