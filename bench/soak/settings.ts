import { parseArgs } from 'node:util'
import type { StoreKind } from './own-store.ts'

export interface Settings {
  minutes: number
  seed: number
  stores: StoreKind[]
  /** Of `kills`. */
  rounds: number
}

const STORES: readonly StoreKind[] = ['sqlite', 'postgres', 'redis']

/** Returns the settings: from flags, else from the environment, else the defaults for a run of all benchmarks. */
export function settings(args: readonly string[], env: Record<string, string | undefined>): Settings {
  const options = {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    store: { type: 'string' },
    rounds: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options, strict: false })
  const store = `${values.store ?? env.HOLDPOINT_SOAK_STORE ?? 'sqlite'}`
  const stores = STORES.filter((one) => store === 'all' || store === one)
  if (stores.length === 0) throw new Error(`--store is ${STORES.join(', ')} or all, not ${store}`)
  const number = (name: string, given: unknown) => {
    if (Number(given) > 0) return Number(given)
    throw new Error(`--${name} is a number above 0, not ${given}`)
  }
  return {
    minutes: number('minutes', values.minutes ?? env.HOLDPOINT_SOAK_MINUTES ?? 2),
    // Another one each time: what one seed does not find the next one may. It is printed, and can be had again.
    seed: number('seed', values.seed ?? env.HOLDPOINT_SEED ?? 1 + Math.floor(Math.random() * 1_000_000)),
    rounds: number('rounds', values.rounds ?? env.HOLDPOINT_KILLS ?? 50),
    stores,
  }
}
