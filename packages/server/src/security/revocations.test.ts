import { memoryStore } from '@holdpoint/server/memory'
import { expect, test, vi } from 'vitest'
import { publishRevocation, RevocationLog } from './revocations.ts'

/** A store that other nodes share, and the log of one node that has a stream of Ada. */
async function world(revoke: (userId: string) => void) {
  const store = { ...memoryStore(), shared: true }
  const problems: unknown[] = []
  const log = new RevocationLog({
    store,
    node: 'own',
    users: () => [{ userId: 'ada' }],
    revoke: ({ userId }) => revoke(userId),
    onProblem: (error) => problems.push(error),
  })
  const reads = vi.spyOn(store, 'snapshot')
  log.begin()
  await vi.waitFor(() => expect(reads.mock.results).toHaveLength(1), 5_000)
  await reads.mock.results[0]?.value
  return { store, log, problems }
}

test('a node revokes the users whom another node revoked, and not again whom it revoked itself', async () => {
  const revoked: string[] = []
  const { store, log } = await world((userId) => revoked.push(userId))
  await publishRevocation(store, 'own', { userId: 'ada' })
  await publishRevocation(store, 'other', { userId: 'eve' })
  await publishRevocation(store, 'other', { userId: 'ada' })
  log.wake()
  await vi.waitFor(() => expect(revoked).toEqual(['ada']), 5_000)
})

test('an error while a user is revoked is reported', async () => {
  const error = new Error('closed')
  const { store, log, problems } = await world(() => {
    throw error
  })
  await publishRevocation(store, 'other', { userId: 'ada' })
  log.wake()
  await vi.waitFor(() => expect(problems).toEqual([error]), 5_000)
})
