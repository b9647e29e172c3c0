import { describe, expect, test } from 'vitest'
import { request } from '../../test/support/log.ts'
import { snapshotOf } from '../../test/support/model.ts'
import { scriptedServer } from '../../test/support/scripted-server.ts'
import { startClient } from '../../test/support/start-client.ts'
import { settle, virtualEnvironment } from '../../test/support/virtual-environment.ts'
import { onAnnouncement } from './api/on-announcement.ts'
import { createHoldpointClient } from './create-client.ts'

describe('the start of a client', () => {
  test('of a page that is offline waits for the network', async () => {
    const { server, world, client, status } = startClient()
    world.happen('offline')
    client.subscribe(() => {})
    await world.advance(60_000)
    expect(status()).toBe('offline')
    expect(server.streams.size).toBe(0)
    world.happen('online')
    await settle()
    expect(status()).toBe('open')
  })

  test('of a hidden page becomes slow when the page has been hidden for the configured time', async () => {
    const { server, world, client } = startClient({ heartbeatTimeoutMs: 1e9 })
    world.happen('hidden')
    client.subscribe(() => {})
    await world.advance(299_000)
    expect(server.streams.size).toBe(1)
    await world.advance(2_000)
    expect(server.streams.size).toBe(0)
  })

  test.each([
    ['over HTTP/1.1 rests after one look', true, true, 0],
    ['over HTTP/2 is connected', false, true, 1],
    ['with a transport that takes no request is connected', true, false, 1],
  ])('of a hidden page %s', async (_what, scarce, holdsRequest, streams) => {
    const server = scriptedServer()
    Object.assign(server.transport, { holdsRequest })
    const page = virtualEnvironment()
    const other = createHoldpointClient({
      sessionId: 'task-42',
      transport: server.transport,
      environment: { ...page.env, surroundings: { ...page.env.surroundings, scarce: () => scarce } },
    })
    page.happen('hidden')
    other.subscribe(() => {})
    await page.advance(4_000)
    expect(server.streams.size).toBe(streams)
    page.happen('visible')
    await settle()
    expect(server.streams.size).toBe(1)
  })

  test('from a snapshot in the page requests no other snapshot', async () => {
    const events = [request('i1')]
    const { server, client } = startClient({ initial: { snapshot: snapshotOf(events) } }, (server) =>
      server.append(...events),
    )
    expect(client.getServerSnapshot().pendingIds).toEqual(['i1'])
    client.subscribe(() => {})
    await settle()
    expect(server.calls).toEqual([`connect ${client.getSnapshot().cursor}`])
  })
})

test('with many events sets no further timers', async () => {
  const { server, world, client } = startClient()
  client.subscribe(() => {})
  await settle()
  const before = world.armed()
  const [stream] = server.streams
  for (let i = 0; i < 100; i++) {
    world.jump(10)
    stream!.listener.alive()
  }
  expect(world.armed()).toBe(before)
})

test('allows a listener to close the client during any notification', async () => {
  for (const when of ['connecting', 'open', 'reconnecting', 'offline']) {
    const { server, world, client, status } = startClient()
    client.subscribe(() => {
      if (status() === when) client.close()
    })
    client.close()
    client.connect()
    await settle()
    server.drop()
    world.happen('offline')
    await world.advance(5_000)
    expect(status(), when).toBe('closed')
    expect(server.streams.size, when).toBe(0)
    expect(world.timers.size, when).toBe(0)
  }
})

test('allows a listener to connect during any notification, with one stream', async () => {
  const { server, world, client, status } = startClient()
  client.subscribe(() => {
    if (status() === 'reconnecting') client.connect()
  }, 'connection')
  await settle()
  const before = server.calls.filter((call) => call.startsWith('connect')).length
  server.drop()
  await world.advance(5_000)
  expect(server.calls.filter((call) => call.startsWith('connect'))).toHaveLength(before + 1)
  expect(server.streams.size).toBe(1)
})

describe('the end of a client', () => {
  test('leaves nothing behind after 10,000 connections, listeners and closings', async () => {
    const { server, world, client } = startClient()
    for (let i = 0; i < 10_000; i++) {
      const ways = [client.subscribe(() => {}, 'pending'), client.onEvent(() => {}), onAnnouncement(client, () => {})]
      client.connect()
      if (i % 100 === 0) await settle()
      for (const away of ways) away()
      client.close()
    }
    await settle()
    expect(world.timers.size).toBe(0)
    expect(world.watchers.size).toBe(0)
    expect(server.streams.size).toBe(0)
    expect(client.getSnapshot().connection.status).toBe('closed')
  })

  test('leaves the state readable, refuses answers, and allows a new connection', async () => {
    const { server, world, client, status } = startClient({}, (server) => server.append(request('i1')))
    client.subscribe(() => {})
    await settle()
    client.close()
    await world.advance(100_000)
    expect(status()).toBe('closed')
    expect(client.getSnapshot().pendingIds).toEqual(['i1'])
    expect(await client.respond('i1', { action: 'approve' })).toMatchObject({
      status: 'not_sent',
      problem: { code: 'client_closed' },
    })
    expect(server.answers()).toEqual([])
    client.connect()
    await settle()
    expect(status()).toBe('open')
    expect(await client.respond('i1', { action: 'approve' })).toEqual({ status: 'accepted' })
  })

  test('needs one timer for everything that it waited for', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1'), request('i2')))
    client.subscribe(() => {})
    await settle()
    server.script.onSend = () => new Promise(() => {})
    void client.respond('i1', { action: 'approve' })
    void client.respond('i2', { action: 'approve' })
    void client.extend('i1')
    expect(world.timers.size).toBe(1)
    client.close()
    await settle()
    expect(world.timers.size).toBe(0)
    expect(server.aborted.filter((type) => type !== 'snapshot')).toHaveLength(3)
  })
})
