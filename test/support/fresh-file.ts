import { afterAll, vi } from 'vitest'

/**
 * Set-up of the tests that share workers: each file begins as in a new process. It runs before each file.
 */
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const
const KEPT = Symbol.for('holdpoint.tests.timers')
const worker = globalThis as { [KEPT]?: Partial<typeof globalThis> }
worker[KEPT] ??= Object.fromEntries(TIMERS.map((name) => [name, globalThis[name]]))
const timers = worker[KEPT]

// In development, Holdpoint keeps a registry for the whole process. Instances that an earlier file left there, killed,
// would be asked for each unknown session and never answer.
Reflect.deleteProperty(globalThis, Symbol.for('holdpoint'))

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // A spy that was set on a faked timer restores the fake.
  Object.assign(globalThis, timers)
})
