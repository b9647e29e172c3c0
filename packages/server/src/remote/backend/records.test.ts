import { memoryStore } from '@holdpoint/server/memory'
import { expect, test } from 'vitest'
import { listRecords, type RemoteMessage } from './records.ts'

test('messages are listed by time, and of two in the same millisecond the one of the user is first', async () => {
  const store = memoryStore()
  const message = (id: string, role: RemoteMessage['role'], at: number) => ({
    ...{ kind: 'remote_message', id, expect: 0 },
    data: JSON.stringify({ id, role, text: id, at }),
  })
  const puts = [message('a', 'assistant', 2), message('b', 'user', 2), message('c', 'assistant', 1)]
  await store.commit({ partition: 'p', puts, events: [] })
  const listed = await listRecords<RemoteMessage>(store, 'p', 'remote_message')
  expect(listed.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})
