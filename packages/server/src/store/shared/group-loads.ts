import type { Row, RowRef } from '../port.ts'

type Loaded = { now: number; rows: (Row | null)[] }

interface Waiting {
  refs: readonly RowRef[]
  resolve(loaded: Loaded): void
  reject(error: unknown): void
}

/** The maximum number of rows in one read, so that no read occupies a connection for long. */
const MOST_ROWS = 500

/**
 * Combines loads of one turn of the event loop into one read, because a round trip costs the same for one row and for a
 * hundred. The read begins after all of these calls, so each caller sees everything that was committed before its call.
 * Its rows and time are one consistent view, as without sharing.
 */
export function groupLoads(
  read: (refs: readonly RowRef[]) => Promise<Loaded>,
  schedule: (run: () => void) => void,
): (refs: readonly RowRef[]) => Promise<Loaded> {
  let queue: Waiting[] = []

  const share = async (group: readonly Waiting[]): Promise<void> => {
    const [first] = group
    try {
      const { now, rows } = await read(group.length === 1 && first ? first.refs : group.flatMap(({ refs }) => refs))
      let at = 0
      for (const { refs, resolve } of group) {
        resolve({ now, rows: rows.slice(at, at + refs.length) })
        at += refs.length
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  const flush = () => {
    const waiting = queue
    queue = []
    let group: Waiting[] = []
    let size = 0
    for (const one of waiting) {
      if (group.length > 0 && size + one.refs.length > MOST_ROWS) {
        void share(group)
        group = []
        size = 0
      }
      group.push(one)
      size += one.refs.length
    }
    void share(group)
  }

  return (refs) =>
    new Promise((resolve, reject) => {
      queue.push({ refs, resolve, reject })
      if (queue.length === 1) schedule(flush)
    })
}
