import type { HttpOptions } from './routing/options.ts'

/** Logs once, at the first request in production, which protections the host application has not configured. */
export class ProductionWarnings {
  readonly #options: HttpOptions
  #pending: boolean

  constructor(options: HttpOptions, production = globalThis.process?.env.NODE_ENV === 'production') {
    this.#options = options
    this.#pending = production
  }

  once(): void {
    if (!this.#pending) return
    this.#pending = false
    const { logger, allowedHosts, mountPath } = this.#options
    if (allowedHosts === undefined) {
      logger?.warn?.(
        'security.allowedHosts is not set: every Host is answered. Set it to your host names to stop DNS rebinding.',
        {
          option: 'security.allowedHosts',
        },
      )
    }
    if (mountPath === undefined) {
      logger?.warn?.(
        'http.mountPath is not set: a route answers below every path that ends like it. Set it to the path of the mount, so that rules of your proxy or framework for that path cannot be walked around.',
        { option: 'http.mountPath' },
      )
    }
  }
}
