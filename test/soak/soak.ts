import { expect, test } from 'vitest'
import type { StoreKind } from '../../bench/soak/own-store.ts'
import { runSoak } from '../../bench/soak/run-soak.ts'

/** 2 minutes where CI is set, 20 seconds elsewhere. */
const MINUTES = Number(process.env.HOLDPOINT_SOAK_MINUTES ?? (process.env.CI ? 2 : 1 / 3))
/** Which faults come when, and what people do. */
const SEED = Number(process.env.HOLDPOINT_SEED ?? 20_307)
const FLAGS = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', '--expose-gc']

/** The soak of `bench/soak`, short. Each store has a file of its own, so that stores run side by side. */
export function soakTest(store: StoreKind): void {
  test(`nothing is lost, repeated or left open after ${Math.round(MINUTES * 60)} s of faults, seed ${SEED}`, {
    timeout: MINUTES * 60_000 + 600_000,
  }, async () => {
    const logged: string[] = []
    const { violations, counts } = await runSoak({
      ...{ store, seed: SEED, ms: MINUTES * 60_000, execArgv: FLAGS },
      log: (line) => logged.push(line),
    })
    expect(violations, `seed ${SEED}: ${logged.join('; ')}`).toEqual([])
    // The soak exercised the system: people answered, tools resumed, and clients received events.
    for (const what of ['answers accepted', 'effects', 'events seen']) expect(counts[what], what).toBeGreaterThan(0)
  })
}
