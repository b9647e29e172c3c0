import { describeWith, type Found } from '@holdpoint/conformance/services'
import { expect, test } from 'vitest'
import { type StoreKind, whyNot } from '../../bench/soak/own-store.ts'
import { runSoak } from '../../bench/soak/run-soak.ts'

/**
 * The soak of `bench/soak`, short. HOLDPOINT_SOAK_MINUTES: how long; 2 where CI is set. HOLDPOINT_SEED: which faults
 * come when, and what people do.
 */
const MINUTES = Number(process.env.HOLDPOINT_SOAK_MINUTES ?? (process.env.CI ? 2 : 1 / 3))
const SEED = Number(process.env.HOLDPOINT_SEED ?? 20_307)
const FLAGS = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', '--expose-gc']

function place(store: StoreKind): Found {
  const why = whyNot(store)
  if (why === undefined) return { value: store }
  if (process.env.HOLDPOINT_REQUIRE_SERVICES === '1') throw new Error(why)
  return { skip: why }
}

for (const store of ['sqlite', 'postgres'] as const) {
  describeWith(`a soak on ${store}`, place(store), () => {
    test(`${Math.round(MINUTES * 60)} s of faults, seed ${SEED}: nothing is lost, doubled or left hanging`, {
      timeout: MINUTES * 60_000 + 600_000,
    }, async () => {
      const said: string[] = []
      const { violations, counts } = await runSoak({
        ...{ store, seed: SEED, ms: MINUTES * 60_000, execArgv: FLAGS },
        log: (line) => said.push(line),
      })
      expect(violations, `seed ${SEED}: ${said.join('; ')}`).toEqual([])
      // It was a soak: people answered, tools went on, and clients saw it.
      for (const what of ['answers accepted', 'effects', 'events seen']) expect(counts[what], what).toBeGreaterThan(0)
    })
  })
}
