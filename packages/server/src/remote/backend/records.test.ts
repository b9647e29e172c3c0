import { memoryStore } from '@holdpoint/server/memory'
import { expect, test } from 'vitest'
import { listRecords, type RemoteMessage } from './records.ts'

const row = (id: string, role: RemoteMessage['role'], times: { at: number; receivedAt?: number }) => ({
  ...{ kind: 'remote_message', id, expect: 0 },
  data: JSON.stringify({ id, role, text: id, ...times }),
})

test('messages are listed by time, and of two in the same millisecond the one of the user is first', async () => {
  const store = memoryStore()
  const puts = [row('a', 'assistant', { at: 2 }), row('b', 'user', { at: 2 }), row('c', 'assistant', { at: 1 })]
  await store.commit({ partition: 'p', puts, events: [] })
  const listed = await listRecords<RemoteMessage>(store, 'p', 'remote_message')
  expect(listed.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

test('an agent whose clock is ten minutes behind does not answer before it is asked', async () => {
  const store = memoryStore()
  const TEN_MINUTES = 600_000
  // The first answer was delivered again after the second one.
  const agent = (id: string, at: number, receivedAt: number) =>
    row(id, 'assistant', { at: at - TEN_MINUTES, receivedAt })
  const now = TEN_MINUTES * 10
  const puts = [
    ...[row('question', 'user', { at: now }), agent('first', now + 50, now + 9000)],
    ...[agent('second', now + 100, now + 120), row('thanks', 'user', { at: now + 300 })],
  ]
  await store.commit({ partition: 'p', puts, events: [] })
  const listed = await listRecords<RemoteMessage>(store, 'p', 'remote_message')
  expect(listed.map(({ id }) => id)).toEqual(['question', 'first', 'second', 'thanks'])
  expect(listed.map(({ at }) => at - now)).toEqual([0, 70, 120, 300])
  expect(listed[1]).not.toHaveProperty('receivedAt')
})
