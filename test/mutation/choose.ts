/** A choice of `count` that is the same for the same seed; a smaller one is the beginning of a bigger one. */
export function choose<T>(all: readonly T[], count: number, seed: number): T[] {
  const pool = [...all]
  let state = seed >>> 0 || 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from(
    { length: Math.min(count, pool.length) },
    () => pool.splice(Math.floor(next() * pool.length), 1)[0]!,
  )
}
