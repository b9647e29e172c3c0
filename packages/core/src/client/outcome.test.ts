import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

test.each([
  [199, 'not_sent'],
  [200, 'accepted'],
  [299, 'accepted'],
  // A proxy's own page, or a redirect that was not followed: nobody has taken the answer.
  [300, 'not_sent'],
  [502, 'not_sent'],
])('HTTP %i means %s', (status, means) => {
  expect(outcomeOf({ status, body: '<html>' }).result.status).toBe(means)
})
