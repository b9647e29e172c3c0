import type { SqliteReader } from './reader.ts'

/** Hears of commits of other processes. */
export interface Watch {
  start(): void
  stop(): void
  /** This process committed change number `change`; the watch need not tell of it again. */
  own(change: number): void
}

/**
 * SQLite has no channel between processes, but a counter that moves when another connection commits: one timer that
 * looks at it, only while somebody listens, and that never keeps the process alive.
 */
export function createWatch(reader: SqliteReader, pollMs: number, tell: (partitions: string[]) => void): Watch {
  let timer: NodeJS.Timeout | undefined
  let version = 0
  let seen = 0

  const look = () => {
    // A failing look is no news: whoever reads next gets the error, with its name.
    try {
      const current = reader.dataVersion()
      if (current === version) return
      const { partitions, change } = reader.changedSince(seen)
      version = current
      seen = change
      if (partitions.length > 0) tell(partitions)
    } catch {}
  }

  return {
    start() {
      try {
        version = reader.dataVersion()
        seen = reader.lastChange()
      } catch {}
      timer ??= setInterval(look, pollMs)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
    own(change) {
      if (change === seen + 1) seen = change
    },
  }
}
