import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test.each([
  [199, 'not_sent'],
  [200, 'accepted'],
  [299, 'accepted'],
  // A proxy's own page: no server has accepted the answer.
  [300, 'not_sent'],
  [502, 'not_sent'],
])('HTTP %i with a body that confirms the answer means %s', (status, means) => {
  expect(outcomeOf({ status, body: { status: 'accepted' } }).result.status).toBe(means)
})
