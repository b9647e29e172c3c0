import { createHoldpointClient, sse } from '@holdpoint/core'
import { expect, test, vi } from 'vitest'

test('a page that answers in place of the server, as single-page apps do, is distinguished from a malformed snapshot', async () => {
  const fetch = async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  const client = createHoldpointClient({
    sessionId: 's1',
    transport: sse({ url: '/holdpiont', fetch }),
    environment: { random: () => 0.5 },
  })
  try {
    client.connect()
    await vi.waitFor(() => expect(client.getSnapshot().connection.error).toBeDefined())
    expect(client.getSnapshot().connection.error).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('is the server mounted at this url?'),
    })
  } finally {
    client.close()
  }
})
