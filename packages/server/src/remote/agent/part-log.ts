import type { Store } from '../../store/port.ts'

/** A part of a stream, or the end of a run. */
export type Entry = { run: string; part: unknown } | { run: string; end: true }

/** The stored stream parts of one session, so that a reader that reconnects continues from its position. */
export class PartLog {
  private readonly store: Store
  private readonly partition: string
  private readonly listeners = new Set<() => void>()
  private version = 0

  constructor(store: Store, partition: string) {
    this.store = store
    this.partition = partition
  }

  async append(entries: readonly Entry[]): Promise<{ epoch: string; lastSeq: number }> {
    const events = entries.map((entry) => JSON.stringify(entry))
    const result = await this.store.commit({ partition: this.partition, events })
    if (!result.ok) throw new Error('an append without checks cannot conflict')
    this.changed()
    return result
  }

  changed(): void {
    this.version++
    for (const listener of [...this.listeners]) listener()
  }

  /** Returns stored parts from `from` on, and a function that waits for more. */
  async read(from: number, limit: number) {
    const { version } = this
    const page = await this.store.readLog(this.partition, { from, limit })
    const entries = page.events.map(({ seq, json }) => ({ seq, entry: JSON.parse(json) as Entry }))
    return { ...page, entries, more: (withinMs: number) => this.after(version, withinMs) }
  }

  /** Deletes all entries except the last `kept`. */
  async trim(kept: number): Promise<void> {
    const { head } = await this.store.readLog(this.partition, { from: Number.MAX_SAFE_INTEGER, limit: 1 })
    if (head > kept) await this.store.trim(this.partition, head - kept)
  }

  /** Resolves with true when a part was written after `version`, or with false after the time. */
  private async after(version: number, withinMs: number): Promise<boolean> {
    if (this.version !== version) return true
    return await new Promise<boolean>((resolve) => {
      const done = (written: boolean) => {
        clearTimeout(timer)
        this.listeners.delete(listener)
        resolve(written)
      }
      const listener = () => done(true)
      const timer = setTimeout(() => done(false), withinMs)
      this.listeners.add(listener)
    })
  }
}
