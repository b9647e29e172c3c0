import { expect, test } from 'vitest'
import { signedIn } from './testing/signed-in.ts'

const MINUTE = 60_000

test('the pause after a failed early refresh ends with the token, so that no caller receives an expired one', async () => {
  const { tokens, service, time } = await signedIn()
  await time.advance(30 * MINUTE - 10_000)
  service.fail('network', 'network')
  const mine = tokens.token()
  await time.advance(1_000)
  expect([await mine, service.seen.length]).toEqual(['access-0', 2])
  await time.advance(8_000)
  expect([await tokens.token(), service.seen.length]).toEqual(['access-0', 2])
  await time.advance(1_000)
  expect([await tokens.token(), service.seen.length]).toEqual(['access-1', 3])
})

test('a pending refresh that yields a rejected token is followed by one more request', async () => {
  const { make, service } = await signedIn()
  const fresh = make()
  const underway = fresh.token()
  const renewed = fresh.renew('access-0')
  expect([await underway, await renewed]).toEqual(['access-0', 'access-1'])
  expect(service.seen).toEqual(['refresh-0'])
})
