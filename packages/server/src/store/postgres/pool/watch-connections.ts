import type { PostgresClient, PostgresPool } from './pool.ts'

/** Additional events of a real `pg` pool; a wrapper need not have them. */
interface ConnectEvents {
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
  off?(event: 'connect', listener: (client: PostgresClient) => void): unknown
}

/**
 * Adds an error listener to each connection as soon as the pool creates it. A server that shuts down while it accepts a
 * connection sends the error before the caller has the connection. Without a listener, the error would end the process.
 * With it, the caller's first statement fails instead.
 */
export function watchConnections(pool: PostgresPool, onError: (error: Error) => void): () => void {
  const telling = pool as unknown as ConnectEvents
  const watch = (client: PostgresClient) => void client.on('error', onError)
  telling.on('connect', watch)
  return () => void telling.off?.('connect', watch)
}
