import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { testClock } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'

const BYTES = new TextEncoder().encode('a token')

test('a test clock that settles waits for hashes, also while the threads that compute them are busy', async () => {
  const clock = testClock()
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 100_000, 32, 'sha256'))
  const steps: string[] = []
  const work = async () => {
    for (const step of ['first', 'second', 'third']) {
      await crypto.subtle.digest('SHA-256', BYTES)
      steps.push(step)
    }
  }
  const working = work()
  await clock.settle()
  expect(steps).toEqual(['first', 'second', 'third'])
  await Promise.all([working, ...busy])
})
