import { afterEach, expect, test, vi } from 'vitest'
import { describeWith, has, postgresUrl, redisUrl } from './services.ts'

afterEach(() => vi.unstubAllEnvs())

const NOWHERE = 'postgres://127.0.0.1:1/none'

test('a program that is there is found, wherever PATH ends', () => {
  expect(has('sh')).toEqual({ value: expect.stringMatching(/\/sh$/) })
})

test('what is missing has a reason that names the remedy', async () => {
  vi.stubEnv('HOLDPOINT_REQUIRE_SERVICES', '')
  vi.stubEnv('DATABASE_URL', NOWHERE)
  expect(has('no-such-program')).toEqual({ skip: expect.stringContaining('no-such-program is not installed') })
  expect(await postgresUrl()).toEqual({ skip: expect.stringContaining('set DATABASE_URL (scripts/services.sh') })
})

test('what is missing throws where services are required', async () => {
  vi.stubEnv('HOLDPOINT_REQUIRE_SERVICES', '1')
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1')
  expect(() => has('no-such-program')).toThrow('not installed')
  await expect(redisUrl()).rejects.toThrow('Redis does not answer at 127.0.0.1')
})

describeWith('a suite whose service is there', { value: 'here' }, (value) => {
  test('runs with what was found', () => expect(value).toBe('here'))
})
