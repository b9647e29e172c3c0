import type { PostgresClient, PostgresPool } from './pool.ts'

/** Additional events of a real `pg` pool; a wrapper need not have them. */
interface Telling {
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
  off?(event: 'connect', listener: (client: PostgresClient) => void): unknown
}

/**
 * Adds a listener to each connection from its first moment. A server that shuts down while it accepts a connection
 * sends both in one packet: the error then exists before the caller has the connection, and would end the process. The
 * caller then finds the connection broken.
 */
export function watchConnections(pool: PostgresPool, onError: (error: Error) => void): () => void {
  const telling = pool as unknown as Telling
  const watch = (client: PostgresClient) => void client.on('error', onError)
  telling.on('connect', watch)
  return () => void telling.off?.('connect', watch)
}
