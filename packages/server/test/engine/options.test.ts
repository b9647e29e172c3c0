import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { describe, expect, onTestFinished, test } from 'vitest'

function create(options: object) {
  const holdpoint = createHoldpoint({ store: memoryStore(), name: crypto.randomUUID(), ...options } as HoldpointOptions)
  onTestFinished(() => holdpoint.close())
  return holdpoint
}
const rejection = (message: string) => expect.objectContaining({ code: 'invalid_options', message })
const hook = () => {}

describe('createHoldpoint rejects an option in the wrong place and names the right one', () => {
  test.each([
    [
      'an option of a group at the top',
      { leaseMs: 1 },
      '"leaseMs" is in the wrong place. Pass it as timing: { leaseMs }',
    ],
    [
      'an option of another group',
      { timing: { onEvent: hook } },
      '"timing.onEvent" is in the wrong place. Pass it as hooks: { onEvent }',
    ],
    [
      'a number of HTTP at the top',
      { rateLimit: {} },
      '"rateLimit" is in the wrong place. Pass it as http: { rateLimit }',
    ],
    [
      'a limit at the top',
      { openQuestions: 1 },
      '"openQuestions" is in the wrong place. Pass it as limits: { openQuestions }',
    ],
    [
      'an option of the top in a group',
      { security: { authenticate: hook } },
      '"security.authenticate" is in the wrong place. Pass it as authenticate, outside of any group',
    ],
  ])('%s', (_what, options, message) => {
    expect(() => create(options)).toThrow(rejection(`createHoldpoint: ${message}.`))
  })

  test.each([
    [
      'an unknown option',
      { onFolowUp: hook },
      /^createHoldpoint: "onFolowUp" is not an option\. The options here are store, authenticate/,
    ],
    [
      'an unknown option of a group',
      { hooks: { onFolowUp: hook } },
      /"hooks\.onFolowUp" is not an option\. The options here are onToolResult, onFollowUp/,
    ],
    ['a group that is no object', { timing: 15_000 }, /"timing" must be an object/],
  ])('%s', (_what, options, message) => {
    expect(() => create(options)).toThrow(message)
  })
})

test('every option in its place is accepted, and so is an option that is undefined', () => {
  const holdpoint = create({
    timing: { leaseMs: 5_000, maxDurationMs: undefined },
    http: { mountPath: '/holdpoint', routes: [], retryMs: 100 },
    limits: { openQuestions: 10 },
    retention: { endedMs: 1_000 },
    hooks: { onEvent: hook, deliveries: { atOnce: 1 } },
    security: { allowedHosts: 'any', authorize: () => true },
    waitUntil: undefined,
  })
  expect(holdpoint.stats()).toMatchObject({ waiting: 0 })
})

test('a hook for user actions without a list of actions is rejected', () => {
  expect(() => create({ hooks: { onUserActions: hook } })).toThrow(/"hooks\.onUserActions" needs "userActions"/)
  create({ hooks: { onUserActions: hook }, userActions: {} })
})
