import type { Environment } from './environment.ts'

/** The longest delay of a timer. A longer one would overflow and fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** A recurring job. Returns the milliseconds until its next run, or undefined to run only when requested. */
export type Job = () => Promise<number | undefined>

/**
 * Uses one timer for all waiting work, such as deadlines, deliveries and heartbeats. Each job returns when it wants to
 * run next, and the timer is set for the earliest. A running job is not started again, but runs once more if it was
 * requested meanwhile.
 */
export class Scheduler {
  private readonly environment: Environment
  private readonly only: ReadonlySet<string> | undefined
  private readonly onError: (job: string, error: unknown) => void
  private readonly jobs = new Map<string, Job>()
  private readonly dueAt = new Map<string, number>()
  private readonly running = new Map<string, Promise<void>>()
  private timer: { handle: unknown; at: number } | undefined
  private keepAlive = false
  private stopped = false

  /** `only` names the jobs that may run by timer. By default, all may. */
  constructor(
    environment: Environment,
    only: ReadonlySet<string> | undefined,
    onError: (job: string, error: unknown) => void,
  ) {
    this.environment = environment
    this.only = only
    this.onError = onError
  }

  add(name: string, job: Job): void {
    this.jobs.set(name, job)
  }

  /** Runs the job in `ms` milliseconds, unless it is already due earlier. */
  runWithin(name: string, ms: number): void {
    if (this.stopped || !this.jobs.has(name) || this.only?.has(name) === false) return
    const at = this.environment.now() + Math.max(0, ms)
    const due = this.dueAt.get(name)
    if (due !== undefined && due <= at) return
    this.dueAt.set(name, at)
    this.arm()
  }

  /** Sets whether the timer keeps the process alive. */
  keepProcessAlive(keepAlive: boolean): void {
    if (this.keepAlive === keepAlive) return
    this.keepAlive = keepAlive
    if (this.timer && !this.environment.keepFor(this.timer.handle, keepAlive)) this.set(this.timer.at)
  }

  /** Runs the job now and waits for its end. If the job is already running, it waits for that run first. */
  async run(name: string): Promise<void> {
    while (this.running.has(name)) await this.running.get(name)
    if (!this.stopped) await this.start(name)
  }

  /**
   * Prevents all further runs. A job that is still running may fail because its store is closed; its error is ignored.
   */
  stop(): void {
    this.stopped = true
    this.dueAt.clear()
    this.arm()
  }

  private arm(): void {
    // A running job arms the timer when it ends.
    const waiting = [...this.dueAt].filter(([name]) => !this.running.has(name)).map(([, at]) => at)
    const at = waiting.length > 0 ? Math.min(...waiting) : undefined
    if (this.timer?.at !== at) this.set(at)
  }

  private set(at: number | undefined): void {
    if (this.timer) this.environment.clearTimeout(this.timer.handle)
    this.timer = undefined
    if (at === undefined) return
    const ms = Math.min(LONGEST_MS, Math.max(0, at - this.environment.now()))
    const handle = this.environment.setTimeout(() => this.runDueJobs(), ms, this.keepAlive)
    this.timer = { handle, at }
  }

  private runDueJobs(): void {
    this.timer = undefined
    const now = this.environment.now()
    for (const [name, at] of [...this.dueAt]) {
      if (at > now || this.running.has(name)) continue
      void this.start(name)
    }
    this.arm()
  }

  private start(name: string): Promise<void> {
    this.dueAt.delete(name)
    const run = this.perform(name)
    this.running.set(name, run)
    return run
  }

  private async perform(name: string): Promise<void> {
    try {
      const again = await this.jobs.get(name)?.()
      this.running.delete(name)
      if (again !== undefined) this.runWithin(name, again)
    } catch (error) {
      this.running.delete(name)
      if (!this.stopped) this.onError(name, error)
      this.runWithin(name, RETRY_MS)
    }
    this.arm()
  }
}

const RETRY_MS = 1_000
