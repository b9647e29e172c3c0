/** The part of `pg.Pool` that the store uses, so that you can pass your own pool or a wrapper of it. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  off?(event: 'error', listener: (error: Error) => void): unknown
  readonly totalCount?: number
  readonly options?: { max?: number | undefined }
}

/** The part of a client of `pg.Pool` that the store uses. */
export interface PostgresClient {
  query(query: {
    text: string
    values?: unknown[]
    query_timeout?: number
  }): Promise<{ rows: Record<string, unknown>[] }>
  release(destroy?: Error | boolean): void
  /** Keeps the process alive while the connection is open, if the client supports it. */
  ref?(): void
  unref?(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'notification', listener: (message: PostgresNotification) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'notification', listener: (message: PostgresNotification) => void): unknown
}

/** Events of a client that listens. */
export interface PostgresNotification {
  channel: string
  payload?: string | undefined
}
