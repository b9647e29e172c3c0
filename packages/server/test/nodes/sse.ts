import type { PlacedEvent } from '@holdpoint/core/internal'
import { createSseReader } from '@holdpoint/core/internal'

/** Reads a node's event stream until it ends, and keeps what it saw. */
export class SseReader {
  readonly seen: PlacedEvent[] = []
  readonly faults: unknown[] = []
  readonly ended: Promise<void>
  private readonly controller = new AbortController()

  constructor(url: string, headers: Record<string, string>) {
    this.ended = this.read(url, headers).catch(() => {})
  }

  close(): void {
    this.controller.abort()
  }

  private async read(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(url, { headers, signal: this.controller.signal })
    if (!response.ok || !response.body) return
    const read = createSseReader({
      events: (batch) => void this.seen.push(...batch),
      reset: (reason) => void this.faults.push(reason),
      alive: () => {},
      malformed: (problem) => void this.faults.push(problem),
    })
    for await (const chunk of response.body) read(chunk)
  }
}
