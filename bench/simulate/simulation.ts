/** A clock and the events that are still to come, in the order of their times. Times are milliseconds. */
export class Simulation {
  now = 0
  private readonly heap: { at: number; order: number; run: () => void }[] = []
  private order = 0

  after(ms: number, run: () => void): void {
    const event = { at: this.now + ms, order: this.order++, run }
    const { heap } = this
    let index = heap.push(event) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(event, heap[parent] as typeof event)) break
      heap[index] = heap[parent] as typeof event
      index = parent
    }
    heap[index] = event
  }

  /** Runs until nothing is left to happen. */
  run(): void {
    for (let next = this.take(); next; next = this.take()) {
      this.now = next.at
      next.run()
    }
  }

  private take() {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (!last || last === first) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as typeof last, heap[child] as typeof last)) child++
      if (!isBefore(heap[child] as typeof last, last)) break
      heap[index] = heap[child] as typeof last
      index = child
    }
    heap[index] = last
    return first
  }
}

/** Of two events at one time, the one that was planned first. */
const isBefore = (a: { at: number; order: number }, b: { at: number; order: number }) =>
  a.at < b.at || (a.at === b.at && a.order < b.order)

/** One processor: its work is done in the order in which it arrives. */
export class Processor {
  /** Milliseconds of work so far. */
  busy = 0
  private readonly simulation: Simulation
  private freeAt = 0

  constructor(simulation: Simulation) {
    this.simulation = simulation
  }

  work(ms: number, done: () => void): void {
    const { now } = this.simulation
    this.freeAt = Math.max(now, this.freeAt) + ms
    this.busy += ms
    this.simulation.after(this.freeAt - now, done)
  }
}

/** A database with group commit: what arrives during a flush shares the next one, for each item a little longer. */
export class GroupCommit {
  private readonly simulation: Simulation
  private readonly flushMs: number
  private readonly eachMs: number
  private waiting: (() => void)[] = []
  private flushing = false

  constructor(simulation: Simulation, { flushMs, eachMs }: { flushMs: number; eachMs: number }) {
    this.simulation = simulation
    this.flushMs = flushMs
    this.eachMs = eachMs
  }

  commit(done: () => void): void {
    this.waiting.push(done)
    if (!this.flushing) this.flush()
  }

  private flush(): void {
    const group = this.waiting
    this.flushing = group.length > 0
    if (!this.flushing) return
    this.waiting = []
    this.simulation.after(this.flushMs + this.eachMs * group.length, () => {
      for (const done of group) done()
      this.flush()
    })
  }
}
