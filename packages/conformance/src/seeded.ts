/** Random numbers from 0 to 1 that depend only on the seed (mulberry32), so that a failed race can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns the seed of a random test: always the same, unless `HOLDPOINT_SEED` names another. */
export const seedOr = (fixed: number): number => Number(process.env.HOLDPOINT_SEED || fixed)
