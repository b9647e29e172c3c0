import { createHoldpointClient, sse } from '@holdpoint/core'
import { mockServer } from '@holdpoint/server/mock'
import { toMswHandlers } from '@holdpoint/server/msw'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { everyExchange } from './exchanges.ts'
import recorded from './recorded-exchanges.txt?raw'
import { shapeOf } from './shape.ts'

test.each(['fetch', 'msw'] as const)(
  'in a browser, a mock server by %s answers as the recorded real server does',
  async (how) => {
    const mock = mockServer({ connectResult: 'never' })
    onTestFinished(() => mock.close())
    const handlers = toMswHandlers(mock)
    const exchanges = await everyExchange({
      holdpoint: mock.holdpoint,
      origin: window.location.origin,
      async send(path, init) {
        if (how === 'fetch') return await mock.fetch(`/holdpoint${path}`, init)
        const request = new Request(new URL(`/holdpoint${path}`, window.location.href), init)
        return (await getResponse(handlers, request)) ?? Response.error()
      },
      signIn: mock.signIn,
      connectAccount: async (integration) => mock.connectAccount(integration),
    })
    const real = JSON.parse(recorded) as { request: string }[]
    for (const [index, exchange] of exchanges.entries()) {
      expect(shapeOf(exchange), exchange.request).toEqual(real[index])
    }
    expect(exchanges).toHaveLength(real.length)
  },
)

test('a reload in a browser continues with the state in sessionStorage', async () => {
  onTestFinished(() => sessionStorage.clear())
  const load = async () => {
    const mock = mockServer({ storage: sessionStorage })
    const transport = sse({ url: mock.url, fetch: mock.fetch })
    const client = createHoldpointClient({ sessionId: 'task-42', transport })
    client.subscribe(() => {})
    const outcome = mock.call({
      sessionId: 'task-42',
      toolName: 'delete_files',
      execute: async (ctx) => (await ctx.tryApprove({ prompt: 'Delete 3 files?' })).outcome,
    })
    outcome.catch(() => {})
    const close = async () => {
      client.close()
      await mock.close()
    }
    return { client, outcome, close }
  }
  const before = await load()
  await expect.poll(() => before.client.getSnapshot().pendingIds).toHaveLength(1)
  const [id = ''] = before.client.getSnapshot().pendingIds
  await before.close()

  const again = await load()
  await expect.poll(() => again.client.getSnapshot().pendingIds).toEqual([id])
  await again.client.respond(id, { action: 'approve' })
  expect(await again.outcome).toBe('approved')
  await again.close()

  const last = await load()
  expect(await last.outcome).toBe('approved')
  await expect.poll(() => last.client.getSnapshot().interactions.get(id)?.status).toBe('answered')
  expect(last.client.getSnapshot().pendingIds).toEqual([])
  await last.close()
})
