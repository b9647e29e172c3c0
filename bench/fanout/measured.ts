import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server under measurement: one event goes to all connected clients. */
export interface Measured {
  port: number
  /** What a client sends to be connected; see `clients.ts`. */
  request: string[]
  /** Hands one event of about `size` bytes, which ends with `|`, to every client. */
  emit(size: number): unknown
}

export const text = (size: number) => `${'x'.repeat(size - 1)}|`

export async function portOf(server: Server): Promise<number> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2048, resolve))
  return (server.address() as AddressInfo).port
}
