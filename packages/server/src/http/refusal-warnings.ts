import type { HttpLogger } from './routing/options.ts'

/** Anybody can send any Origin: so many are logged, and no more. */
const MAX_NAMES = 20

/** Logs each Origin and each Host that was refused, once, with the option that allows it: a browser shows its page no reason. */
export class RefusalWarnings {
  readonly #logger: HttpLogger | undefined
  readonly #named = new Set<string>()

  constructor(logger: HttpLogger | undefined) {
    this.#logger = logger
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

  #isNew(name: string): boolean {
    if (this.#named.size >= MAX_NAMES || this.#named.has(name)) return false
    this.#named.add(name)
    return true
  }
}
