import { seeded, seedOr } from '@holdpoint/conformance/seeded'
import { test } from 'vitest'
import { raceToAsk } from '../engine/support/asks-before.ts'
import { open } from '../engine/support/world.ts'
import { openStore } from './open-store.ts'
import { onStores } from './places.ts'

/** `HOLDPOINT_RACE_ROUNDS`: how often; `HOLDPOINT_SEED`: in which order. */
const ROUNDS = Number(process.env.HOLDPOINT_RACE_ROUNDS ?? 5)
const SEED = seedOr(20_311)
const CALLS = 13

await onStores('two nodes that receive the same calls', ['sqlite', 'postgres', 'redis'], (world) => {
  test(`${CALLS * 4} calls at once, ${ROUNDS} times, seed ${SEED}: a call that asks before its code runs asks once and runs once`, {
    timeout: 60_000 + ROUNDS * 10_000,
  }, async () => {
    const { store } = world()
    const stores = [openStore(store), openStore(store)]
    const nodes = stores.map((store) => open({ store, timing: { leaseMs: 15_000 } }))
    const random = seeded(SEED)
    for (let round = 0; round < ROUNDS; round++) await raceToAsk(nodes, random, CALLS)
  })
})
