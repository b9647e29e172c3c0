import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { mockServer } from '@holdpoint/server/mock'
import { toMswHandlers } from '@holdpoint/server/msw'
import { toNodeHandler } from '@holdpoint/server/node'
import { testAccounts } from '@holdpoint/server/testing'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { everyExchange, type World } from './exchanges.ts'
import { shapeOf } from './shape.ts'

/** A server as apps run it: node:http, a socket, and the memory store. */
async function realServer(): Promise<World> {
  const accounts = testAccounts()
  let userId: string | null = 'ada'
  const authenticate = () => (userId === null ? null : { userId })
  const holdpoint = createHoldpoint({ store: memoryStore(), accounts, authenticate, http: { mountPath: '/holdpoint' } })
  const server = createServer(toNodeHandler(holdpoint))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await holdpoint.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    holdpoint,
    origin,
    send: (path, init) =>
      fetch(`${origin}/holdpoint${path}`, { ...init, headers: { origin, ...(init?.headers as object) } }),
    async signIn(next) {
      userId = next
    },
    async connectAccount(integration) {
      accounts.set({ userId: 'ada' }, integration)
      await holdpoint.accounts.changed({ userId: 'ada', integration })
    },
  }
}

function mocked(how: 'fetch' | 'msw'): World {
  const mock = mockServer({ connectResult: 'never' })
  onTestFinished(() => mock.close())
  const handlers = toMswHandlers(mock)
  return {
    holdpoint: mock.holdpoint,
    origin: how === 'fetch' ? 'http://localhost' : 'http://app.test',
    async send(path, init) {
      if (how === 'fetch') return await mock.fetch(`/holdpoint${path}`, init)
      const response = await getResponse(handlers, new Request(`http://app.test/holdpoint${path}`, init))
      return response ?? Response.error()
    },
    signIn: mock.signIn,
    connectAccount: async (integration) => mock.connectAccount(integration),
  }
}

const text = (value: unknown) => `${JSON.stringify(shapeOf(value), null, 1)}\n`

test('the recorded exchanges equal those of a real server, and cover every route', async () => {
  const exchanges = await everyExchange(await realServer())
  const statuses = exchanges.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20)
  expect(statuses.filter((status) => status >= 500)).toEqual([501])
  await expect(text(exchanges)).toMatchFileSnapshot('./recorded-exchanges.txt')
})

test.each(['fetch', 'msw'] as const)(
  'a mock server by %s answers as a real server does, exchange by exchange',
  async (how) => {
    const real = await everyExchange(await realServer())
    const mock = await everyExchange(mocked(how))
    for (const [index, exchange] of mock.entries()) {
      expect(shapeOf(exchange), exchange.request).toEqual(shapeOf(real[index]))
    }
    expect(mock).toHaveLength(real.length)
  },
)
