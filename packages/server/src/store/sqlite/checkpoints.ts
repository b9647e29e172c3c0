import type { Commit } from '../port.ts'

/** The number of pages in the log after which it is checkpointed: half of SQLite's own limit. */
const FRAMES = 500
/** Estimated pages of a row, an event or a commit, until the first checkpoint reports the size. */
const FRAMES_EACH = 4

/** Checkpoints SQLite's log into its file when no caller waits. */
export interface Checkpoints {
  /** Called after a group was committed. */
  after(items: readonly Commit[]): void
  stop(): void
}

/**
 * By default, SQLite checkpoints inside a commit whenever the log has 1,000 pages, so one in sixty answers would wait
 * for two more disk flushes. Here the checkpoint runs right after a commit, when its caller has continued. The log's
 * length is unknown, so it is estimated from the writes, and each checkpoint corrects the estimate.
 */
export function createCheckpoints(run: () => { log: number }): Checkpoints {
  let written = 0
  let framesEach = FRAMES_EACH
  let planned: NodeJS.Immediate | undefined

  const checkpoint = () => {
    planned = undefined
    // A failed checkpoint has no effect, because SQLite repeats it by itself. If the disk is full, the next commit
    // rejects with `store_full`.
    try {
      const { log } = run()
      if (log > 0) framesEach = log / written
    } catch {}
    written = 0
  }

  return {
    after(items) {
      written++
      for (const { puts = [], deletes = [], events = [] } of items) {
        written += puts.length + deletes.length + events.length
      }
      if (written * framesEach >= FRAMES) planned ??= setImmediate(checkpoint)
    },
    stop() {
      clearImmediate(planned)
    },
  }
}
