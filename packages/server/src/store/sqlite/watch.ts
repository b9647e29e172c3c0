import { type FSWatcher, watch as watchFile } from 'node:fs'
import type { SqliteReader } from './reader.ts'

/** Detects commits of other processes. */
export interface Watch {
  start(): void
  stop(): void
  /** Notes that this process has just committed change number `change`, so that the watch does not report it. */
  own(change: number): void
}

/**
 * The system reports a write before the commit is readable, so the watch checks frequently for this long after each
 * write.
 */
const HURRY_MS = 10

/**
 * The delay of a check after this process's own writes, because a write of another process may share their
 * notification.
 */
const CALM_MS = 5

/**
 * SQLite has no channel between processes. It has a counter that changes when another connection commits, and a log
 * file that is written just before. The counter is therefore read when the operating system reports a write to the log.
 * A slow timer reads it too, because some systems report no writes. Both run only while there are listeners, and do not
 * keep the process alive.
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
    // A failed check is ignored, because the next read rejects with the named error.
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
    // The system also reports this process's own writes, several at once. They need no immediate check.
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
      // Fails for a database in memory, and if the system supports no watches or has none left. The timer is enough
      // then.
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
      // Another process committed in between, and its writes may have been reported together with this process's own.
      else if (timer) look()
    },
  }
}
