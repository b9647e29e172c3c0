import { expect, test } from 'vitest'
import { SmallMap } from './small-map.ts'

/** Returns a random number below `limit`, from a seed. */
function random(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

test.each([1, 2, 3, 4])('a small map behaves as a map with %d possible keys', (keys) => {
  const next = random(keys)
  const [small, map] = [new SmallMap<string, number>(), new Map<string, number>()]
  for (let step = 0; step < 2_000; step++) {
    const key = `key ${next(keys)}`
    if (next(2) === 0) {
      small.set(key, step)
      map.set(key, step)
    } else {
      small.delete(key)
      map.delete(key)
    }
    expect(small.size).toBe(map.size)
    expect(small.get(key)).toBe(map.get(key))
    expect([...small.keys()]).toEqual([...map.keys()])
    expect([...small.values()]).toEqual([...map.values()])
  }
})
