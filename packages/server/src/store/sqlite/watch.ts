import { type FSWatcher, watch as watchFile } from 'node:fs'
import type { SqliteReader } from './reader.ts'

/** Notifies of commits of other processes. */
export interface Watch {
  start(): void
  stop(): void
  /** This process just committed change number `change`; the watch need not report it again. */
  own(change: number): void
}

/** A write is readable after its flush, so the watch checks frequently for this long after each write. */
const HURRY_MS = 10

/** After our own writes, when another process's write may share their notification. */
const CALM_MS = 5

/**
 * SQLite has no channel between processes, but a counter that changes when another connection commits, and a log that
 * is written just before. So the counter is read when the system reports a write, and by a slow timer, because some
 * systems report none. This happens only while there are listeners, and does not keep the process alive.
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
    // A failed check is ignored: the next reader gets the named error.
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
    // The system also reports our own writes, several at once: no check is needed for those.
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
