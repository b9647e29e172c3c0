import type { HttpLogger } from './routing/options.ts'

/** The maximum number of names that are logged in an hour. A limit is needed because any client can send any Origin. */
const MAX_NAMES = 20
const HOUR_MS = 3_600_000

/**
 * Logs each Origin, each Host and each fault of the setup that was refused, once an hour, with the option that corrects
 * it, because a browser does not show its page the reason. The limit starts again each hour, so invented names of a
 * stranger cannot suppress the warning about a wrong setting for longer.
 */
export class RefusalWarnings {
  readonly #logger: HttpLogger | undefined
  readonly #elapsed: () => number
  readonly #named = new Set<string>()
  #until = 0

  constructor(logger: HttpLogger | undefined, elapsed: () => number) {
    this.#logger = logger
    this.#elapsed = elapsed
  }

  origin(origin: string | null): void {
    if (origin === null || !this.#isNew(`origin ${origin}`)) return
    this.#logger?.warn?.(
      'A request from a page of another origin was refused. If the page is yours, add its origin to security.allowedOrigins of createHoldpoint().',
      { origin, option: 'security.allowedOrigins' },
    )
  }

  host(host: string | null): void {
    if (!this.#isNew(`host ${host}`)) return
    this.#logger?.warn?.(
      'A request with an unknown Host header was refused. If the name is yours, add it to security.allowedHosts of createHoldpoint().',
      { host, option: 'security.allowedHosts' },
    )
  }

  /** A refusal that no login changes: its cause is in the setup. */
  setup(reason: string): void {
    if (this.#isNew(`setup ${reason}`)) this.#logger?.warn?.(reason, { option: 'authenticate' })
  }

  #isNew(name: string): boolean {
    const now = this.#elapsed()
    if (now >= this.#until) {
      this.#named.clear()
      this.#until = now + HOUR_MS
    }
    if (this.#named.size >= MAX_NAMES || this.#named.has(name)) return false
    this.#named.add(name)
    return true
  }
}
