/**
 * Estimates the clock of Redis between two reads of it, to determine the age of index entries. The clocks of two
 * machines may differ: entries of a writer whose clock is behind would look old to a reader before the row is written.
 */
export class ServerClock {
  private readonly elapsed: () => number
  private seen = 0
  private at = 0

  constructor(elapsed: () => number = () => performance.now()) {
    this.elapsed = elapsed
  }

  /** Notes the result of `TIME`, in seconds and microseconds, and returns it in milliseconds. */
  update([seconds, micros]: readonly unknown[]): number {
    this.seen = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)
    this.at = this.elapsed()
    return this.seen
  }

  now(): number {
    return this.seen + Math.floor(this.elapsed() - this.at)
  }
}
