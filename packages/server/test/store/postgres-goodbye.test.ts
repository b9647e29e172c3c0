import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { postgresStore } from '@holdpoint/server/postgres'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'

/**
 * A server that accepts a connection and then shuts down, with both in one packet, before the client could listen to
 * the new connection. A real server does so on a busy machine, once in a hundred restarts.
 */
async function goingServer(): Promise<string> {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
  const goodbye = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([welcome, goodbye])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `postgres://ada@127.0.0.1:${(server.address() as AddressInfo).port}/app`
}

test.each(['its own pool', 'a pool of the host'])(
  'a server that shuts down while it accepts a connection yields a named error, with %s',
  async (whose) => {
    const connectionString = await goingServer()
    const pool = whose === 'its own pool' ? undefined : new pg.Pool({ connectionString })
    const store = postgresStore({ ...(pool ? { pool } : { connectionString }), schema: 'app' })
    onTestFinished(async () => {
      await store.close()
      await pool?.end()
    })
    // Without a listener the connection's error would end the process; here it would fail the run.
    await expect(store.open()).rejects.toMatchObject({ code: 'store_unavailable' })
  },
)
