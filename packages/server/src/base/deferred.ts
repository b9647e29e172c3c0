/** A promise with its resolver. It settles once; later attempts have no effect. */
export class Deferred<T> {
  private readonly onResolve: (value: T) => void
  private readonly onReject: (error: unknown) => void
  /** Called once, just before it is settled. */
  cleanup: (() => void) | undefined

  constructor(onResolve: (value: T) => void, onReject: (error: unknown) => void) {
    this.onResolve = onResolve
    this.onReject = onReject
  }

  resolve(value: T): void {
    this.end()
    this.onResolve(value)
  }

  reject(error: unknown): void {
    this.end()
    this.onReject(error)
  }

  private end(): void {
    const { cleanup } = this
    this.cleanup = undefined
    cleanup?.()
  }
}
