import type { Commit } from '../port.ts'

/** Half of what SQLite lets its log grow to before it interrupts a commit. */
const FRAMES = 500
/** Pages that a row, an event or a commit costs, until a first look at the log has said it. */
const FRAMES_EACH = 4

/** Carries what was committed over from SQLite's log into its file, at moments when nobody waits. */
export interface Checkpoints {
  /** These were committed. */
  after(items: readonly Commit[]): void
  stop(): void
}

/**
 * Left to itself SQLite does this inside a commit, each time that the log has 1,000 pages: of the answers of people one
 * in sixty would wait for two more disk flushes. It is done here right after a commit instead, when whoever waited for
 * that has gone on. Nobody tells how long the log is, so it is guessed from what was written, and each look corrects it.
 */
export function createCheckpoints(run: () => { log: number }): Checkpoints {
  let written = 0
  let framesEach = FRAMES_EACH
  let planned: NodeJS.Immediate | undefined

  const checkpoint = () => {
    planned = undefined
    // One that fails is none; SQLite tries again by itself, and a disk that is full refuses the commit by name.
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
