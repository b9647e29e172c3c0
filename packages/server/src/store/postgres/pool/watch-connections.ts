import type { PostgresClient, PostgresPool } from './pool.ts'

/** What a real pool of `pg` tells besides; a wrapper need not. */
interface Telling {
  on(event: 'connect', listener: (client: PostgresClient) => void): unknown
  off?(event: 'connect', listener: (client: PostgresClient) => void): unknown
}

/**
 * Listens to each connection from its first moment. A server that is shut down as it lets somebody in says both in one
 * packet: the error is there before whoever waited for the connection has it, and would end the process. Whoever uses
 * the connection then finds it broken.
 */
export function watchConnections(pool: PostgresPool, onError: (error: Error) => void): () => void {
  const telling = pool as unknown as Telling
  const watch = (client: PostgresClient) => void client.on('error', onError)
  telling.on('connect', watch)
  return () => void telling.off?.('connect', watch)
}
