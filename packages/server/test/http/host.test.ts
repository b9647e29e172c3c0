import { networkInterfaces } from 'node:os'
import { createHoldpoint, devUser } from '@holdpoint/server'
import { createAccountBroker } from '@holdpoint/server/accounts'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { serve } from './support/requests.ts'

afterEach(() => vi.unstubAllEnvs())

/** The inbox of a server with the given NODE_ENV, asked for under a Host. */
async function under(NODE_ENV: string | undefined, host: string, allowedHosts?: string[]): Promise<number> {
  vi.stubEnv('NODE_ENV', NODE_ENV)
  const server = serve({ ...(allowedHosts && { allowedHosts }) })
  onTestFinished(() => appOf(server).close())
  return (await server.call('/inbox', { headers: { host } })).status
}

describe('Host without allowedHosts', () => {
  test.each(['development', 'staging', '', undefined])(
    'with NODE_ENV %j only localhost and addresses are answered [N6.1]',
    async (NODE_ENV) => {
      expect(await under(NODE_ENV, 'attacker.example')).toBe(403)
      expect(await under(NODE_ENV, 'localhost:3000')).toBe(200)
      expect(await under(NODE_ENV, '192.168.0.7:3000')).toBe(200)
      expect(await under(NODE_ENV, 'app.example', ['app.example'])).toBe(200)
    },
  )

  test('every Host is answered in production, and the log states once how to restrict it and that mountPath is missing [N6.2] [N9.1]', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const warned: unknown[] = []
    const logger = { error() {}, warn: (_message: string, fields: unknown) => void warned.push(fields) }
    const server = serve({ logger })
    onTestFinished(() => appOf(server).close())
    for (let n = 0; n < 3; n++)
      expect((await server.call('/inbox', { headers: { host: 'any.example' } })).status).toBe(200)
    expect(warned).toEqual([{ option: 'security.allowedHosts' }, { option: 'http.mountPath' }])
    const told = serve({ logger, allowedHosts: ['app.example'], mountPath: '/holdpoint' })
    onTestFinished(() => appOf(told).close())
    expect((await told.call('/inbox')).status).toBe(200)
    expect(warned).toHaveLength(2)
  })
})

test.each(['staging', '', undefined])(
  'the account broker answers under the same Hosts with NODE_ENV %j, and always under its base URL',
  async (NODE_ENV) => {
    vi.stubEnv('NODE_ENV', NODE_ENV)
    const accounts = createAccountBroker({
      store: memoryStore(),
      providers: [],
      vaultKeys: [{ id: '1', key: new Uint8Array(32).fill(7) }],
      baseUrl: 'https://app.example/holdpoint',
    })
    const at = async (host: string) => {
      const url = 'https://app.example/holdpoint/connections'
      return (await (await accounts.fetch(new Request(url, { headers: { host } }))).json()) as { code?: string }
    }
    expect(await at('attacker.example')).toMatchObject({ code: 'HOST_NOT_ALLOWED' })
    for (const host of ['app.example', 'localhost:3000', '192.168.0.7:3000'])
      expect((await at(host)).code).not.toBe('HOST_NOT_ALLOWED')
  },
)

const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

test.skipIf(!address)(
  'devUser() refuses another machine that sends a localhost Host (skipped without a network address) [N6.3]',
  async () => {
    vi.stubEnv('NODE_ENV', 'development')
    const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: devUser('ada') })
    onTestFinished(() => holdpoint.close())
    const { createServer, get } = await import('node:http')
    const server = createServer(toNodeHandler(holdpoint))
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const from = (host: string) =>
      new Promise((resolve, reject) => {
        const request = get(
          { host, port, path: '/inbox', headers: { host: 'localhost' }, agent: false },
          (response) => {
            response.resume()
            resolve(response.statusCode)
          },
        )
        request.on('error', reject)
      })
    expect(await from('127.0.0.1')).toBe(200)
    expect(await from(address ?? '')).toBe(401)
  },
)
