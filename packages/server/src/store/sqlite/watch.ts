import { type FSWatcher, watch as watchFile } from 'node:fs'
import type { SqliteReader } from './reader.ts'

/** Hears of commits of other processes. */
export interface Watch {
  start(): void
  stop(): void
  /** This process committed change number `change` just now; the watch need not tell of it again. */
  own(change: number): void
}

/** What is written can be read once it is flushed: so long somebody looks often after each write. */
const HURRY_MS = 10

/** After writes of our own, when somebody else's may have been announced along with them. */
const CALM_MS = 5

/**
 * SQLite has no channel between processes, but a counter that moves when another connection commits, and a log that it
 * writes to just before. So the counter is looked at when the system tells of a write, and by a slow timer besides,
 * for some systems tell nothing; only while somebody listens, and without keeping the process alive.
 */
export function createWatch(
  reader: SqliteReader,
  { path, pollMs }: { path: string; pollMs: number },
  tell: (partitions: string[]) => void,
): Watch {
  let timer: NodeJS.Timeout | undefined
  let hurried: NodeJS.Timeout | undefined
  let hurryUntil = 0
  let wrote = false
  let writes: FSWatcher | undefined
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

  const hurry = () => {
    // The system tells of our own writes too, all in one: those of a commit that nobody has to look for.
    if (wrote) {
      wrote = false
      hurried ??= setTimeout(hurriedLook, CALM_MS).unref()
      return
    }
    hurryUntil = performance.now() + HURRY_MS
    if (!hurried) hurriedLook()
  }
  const hurriedLook = () => {
    look()
    hurried = performance.now() < hurryUntil ? setTimeout(hurriedLook, 1).unref() : undefined
  }

  return {
    start() {
      try {
        version = reader.dataVersion()
        seen = reader.lastChange()
      } catch {}
      timer ??= setInterval(look, pollMs).unref()
      // Not in memory, and not where the system has no watches (left).
      try {
        writes ??= watchFile(`${path}-wal`, { persistent: false }, hurry).on('error', () => {})
      } catch {}
    },
    stop() {
      clearInterval(timer)
      clearTimeout(hurried)
      writes?.close()
      timer = undefined
      hurried = undefined
      writes = undefined
    },
    own(change) {
      wrote = writes !== undefined
      if (change === seen + 1) seen = change
      // Another process was in between, and its writes were announced with ours.
      else if (timer) look()
    },
  }
}
