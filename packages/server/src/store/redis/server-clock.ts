/**
 * The clock of Redis between two reads of it. It determines the age of index entries. Otherwise a writer and a reader
 * on two machines would compare two clocks, and entries of a writer whose clock is behind would look old before its row
 * is written.
 */
export class ServerClock {
  private readonly elapsed: () => number
  private seen = 0
  private at = 0

  constructor(elapsed: () => number = () => performance.now()) {
    this.elapsed = elapsed
  }

  /** Takes what `TIME` answered: seconds and microseconds. */
  saw([seconds, micros]: readonly unknown[]): number {
    this.seen = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
    this.at = this.elapsed()
    return this.seen
  }

  now(): number {
    return this.seen + Math.floor(this.elapsed() - this.at)
  }
}
