import { seeded } from '@holdpoint/conformance/seeded'

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
