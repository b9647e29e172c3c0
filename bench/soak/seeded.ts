/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A generator for one thing by its name: what happens elsewhere first, or not at all, changes nothing for it. */
export function seededBy(seed: number, name: string): () => number {
  let mixed = seed >>> 0
  for (const sign of name) mixed = Math.imul(mixed ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return seeded(mixed)
}

export const oneOf = <T>(list: readonly T[], chance: number): T => {
  const found = list[Math.min(list.length - 1, Math.floor(chance * list.length))]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}
