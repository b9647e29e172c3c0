import { type LogEvent, memoryStore, type Store } from '@holdpoint/server/memory'
import { expect, test } from 'vitest'
import { acknowledged, checkLog } from './history.ts'

/** A store whose log of `p` is these events, whatever was committed. */
function lying(events: LogEvent[], head = events.length): Store {
  const readLog: Store['readLog'] = async (_partition, { from, limit }) => {
    return { epoch: 'e1', head, floor: 1, events: events.filter(({ seq }) => seq >= from).slice(0, limit) }
  }
  return { ...memoryStore(), readLog }
}

const event = (seq: number, json = `"${seq}"`) => ({ seq, json })
const ack = (seq: number, json = `"${seq}"`) => ({ partition: 'p', seq, json })

test('a log that holds what was acknowledged is right, also with more behind it', async () => {
  expect(await checkLog(lying([event(1), event(2), event(3)]), 'p', [ack(1), ack(2)])).toEqual([])
})

test.each([
  ['a lost event', [event(1)], [ack(1), ack(2)]],
  ['another event in its place', [event(1), event(2, '"x"')], [ack(2)]],
  ['a gap', [event(1), event(3)], []],
  ['a double', [event(1, '"x"'), event(2, '"x"')], []],
])('finds %s', async (_name, events, acks) => {
  expect(await checkLog(lying(events), 'p', acks)).not.toEqual([])
})

test('finds a head that no event has', async () => {
  expect(await checkLog(lying([event(1)], 2), 'p', [])).not.toEqual([])
})

test('finds an answer that cannot hold its events', () => {
  const answer = { ok: true as const, epoch: 'e1', firstSeq: 3, lastSeq: 3 }
  expect(() => acknowledged({ partition: 'p', events: ['1', '2'] }, answer)).toThrow('2 events')
})
