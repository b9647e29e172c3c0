/**
 * Runs every leg once a round, so that whatever else the machine does meets all alike. Each round begins with another
 * leg: none always pays for what the one before it left behind.
 */
export async function rounds<Name extends string, T = number>(
  count: number,
  legs: Readonly<Record<Name, (round: number) => T | Promise<T>>>,
  { warmUp = 0 } = {},
): Promise<Record<Name, T[]>> {
  const names = Object.keys(legs) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>
  for (let round = -warmUp; round < count; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUp) % names.length] as Name
      const value = await legs[name](round)
      if (round >= 0) taken[name].push(value)
    }
  }
  return taken
}
