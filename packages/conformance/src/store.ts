import { describe } from 'vitest'
import { commitTests } from './store/commit.ts'
import type { Bench, MakeStore } from './store/harness.ts'
import { useHarness } from './store/harness.ts'
import { lifecycleTests } from './store/lifecycle.ts'
import { listTests } from './store/lists.ts'
import { logTests } from './store/log.ts'
import { modelTests } from './store/model.ts'
import { payloadTests } from './store/payloads.ts'
import { raceTests } from './store/races.ts'
import { sharedTests } from './store/shared.ts'

export { type Acknowledged, acknowledged, checkLog } from './store/history.ts'
export type { Bench, MakeStore }

/**
 * Runs the tests that every driver of the store port must pass. Behavior of one database (a full disk, a closed
 * connection) is tested next to its driver.
 *
 * @example storeSuite('memory', async ({ offset }) => ({ store: memoryStore({ now: () => Date.now() + offset() }) }))
 */
export function storeSuite(name: string, make: MakeStore, options: { modelRuns?: number } = {}): void {
  describe(`${name} store`, () => {
    const harness = useHarness(make)
    describe('commit', () => commitTests(harness))
    describe('lists', () => listTests(harness))
    describe('log', () => logTests(harness))
    describe('payloads and keys', () => payloadTests(harness))
    describe('lifecycle', () => lifecycleTests(harness))
    describe('races', () => raceTests(harness))
    describe('two instances', () => sharedTests(harness))
    describe('model', () => modelTests(harness, options.modelRuns ?? 100))
  })
}
