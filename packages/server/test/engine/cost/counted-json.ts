/** Counts the calls of `JSON.parse` and `JSON.stringify` while `work` runs. Pass what must not count through `uncounted`. */
export async function countJson<T>(work: (uncounted: <R>(what: () => R) => R) => Promise<T>) {
  const { parse, stringify } = JSON
  const counts = { parses: 0, stringifies: 0 }
  let paused = false
  JSON.parse = (...args) => {
    if (!paused) counts.parses++
    return parse(...args)
  }
  JSON.stringify = (...args: unknown[]) => {
    if (!paused) counts.stringifies++
    return (stringify as (...args: unknown[]) => string)(...args)
  }
  const uncounted = <R>(what: () => R): R => {
    paused = true
    try {
      return what()
    } finally {
      paused = false
    }
  }
  try {
    return { value: await work(uncounted), ...counts }
  } finally {
    JSON.parse = parse
    JSON.stringify = stringify
  }
}
