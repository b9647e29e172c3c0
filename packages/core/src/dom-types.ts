/**
 * Types of the browser for public declarations. Each one resolves to the type of the DOM library where a project has
 * it, so that a Node project without that library compiles with `skipLibCheck: false`.
 */

/** The browser's `Window`. */
export type BrowserWindow = typeof globalThis extends { Window: { prototype: infer W } } ? W : object

/** The input of `new Headers()`. */
export type HeadersInput = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** Which requests carry cookies, as `fetch` takes it. */
export type CredentialsMode = 'omit' | 'same-origin' | 'include'

/** The part of `navigator.locks` that is used. */
export interface BrowserLocks {
  request<T>(name: string, options: { signal: AbortSignal }, task: () => Promise<T>): Promise<T>
}

/** What connects the pages of one origin: `navigator.locks`, `BroadcastChannel`, and the page's own end. */
export interface BrowserTabs {
  locks: {
    request(
      name: string,
      options: { signal?: AbortSignal; steal?: boolean; ifAvailable?: boolean },
      task: (lock: unknown) => Promise<void> | undefined,
    ): Promise<unknown>
  }
  channel(
    name: string,
    received: (message: unknown) => void,
  ): {
    post(message: unknown): void
    close(): void
  }
  /** Calls back when the page is frozen, put away or left. Returns an unsubscribe function. */
  whenStopped(stopped: () => void): () => void
}
