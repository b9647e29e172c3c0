import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeWith, has, postgresPrograms, postgresUrl, redisUrl } from './services.ts'

beforeEach(() => vi.stubEnv('HOLDPOINT_SERVICES', ''))
afterEach(() => vi.unstubAllEnvs())

const NOWHERE = 'postgres://127.0.0.1:1/none'

test('an installed program is found wherever PATH ends', () => {
  expect(has('sh')).toEqual({ value: expect.stringMatching(/\/sh$/) })
})

test('a missing service has a reason that names the remedy', async () => {
  vi.stubEnv('HOLDPOINT_REQUIRE_SERVICES', '')
  vi.stubEnv('DATABASE_URL', NOWHERE)
  expect(has('no-such-program')).toEqual({ skip: expect.stringContaining('no-such-program is not installed') })
  expect(await postgresUrl()).toEqual({
    skip: expect.stringContaining('set DATABASE_URL (install it with scripts/services.sh'),
  })
})

test('a missing service throws where services are required', async () => {
  vi.stubEnv('HOLDPOINT_REQUIRE_SERVICES', '1')
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1')
  expect(() => has('no-such-program')).toThrow('not installed')
  await expect(redisUrl()).rejects.toThrow('Redis does not answer at 127.0.0.1')
})

test('HOLDPOINT_SERVICES=none hides installed programs and running servers', async () => {
  vi.stubEnv('HOLDPOINT_SERVICES', 'none')
  vi.stubEnv('HOLDPOINT_REQUIRE_SERVICES', '')
  const hidden = (name: string) => ({ skip: `${name} is hidden by HOLDPOINT_SERVICES=none` })
  expect(has('sh')).toEqual(hidden('sh'))
  expect(postgresPrograms()).toEqual(hidden('initdb'))
  expect(await postgresUrl()).toEqual(hidden('PostgreSQL'))
  expect(await redisUrl()).toEqual(hidden('Redis'))
})

test('HOLDPOINT_SERVICES=assumed reports all services as present, so that all tests can be listed', async () => {
  vi.stubEnv('HOLDPOINT_SERVICES', 'assumed')
  vi.stubEnv('DATABASE_URL', NOWHERE)
  expect(has('no-such-program')).toEqual({ value: 'no-such-program' })
  expect(await postgresUrl()).toEqual({ value: NOWHERE })
})

describeWith('a suite whose service exists', { value: 'here' }, (value) => {
  test('runs with the service that was found', () => expect(value).toBe('here'))
})
