import { describe, expect, test } from 'vitest'
import { request } from '../../test/support/log.ts'
import { startClient } from '../../test/support/start-client.ts'
import { settle } from '../../test/support/virtual-environment.ts'

describe('a client without subscribers', () => {
  test('disconnects a second after the last subscriber has left, and leaves nothing behind', async () => {
    const { server, world, client, status } = startClient()
    const first = client.subscribe(() => {})
    const second = client.onEvent(() => {})
    await settle()
    first()
    await world.advance(5_000)
    expect(server.streams.size).toBe(1)
    second()
    await world.advance(900)
    expect(server.streams.size).toBe(1)
    await world.advance(200)
    expect(server.streams.size).toBe(0)
    // The timer that was planned for the stream is the last one.
    await world.advance(60_000)
    expect(world.timers.size).toBe(0)
    expect(world.watchers.size).toBe(0)
    expect(status()).toBe('connecting')
  })

  test('reconnects with the next subscriber, and receives questions from the meantime', async () => {
    const { server, world, client, ids } = startClient()
    client.subscribe(() => {})()
    await world.advance(60_000)
    server.append(request('i1'))
    client.subscribe(() => {})
    await settle()
    expect(ids()).toEqual(['i1'])
    expect(server.streams.size).toBe(1)
  })

  test('keeps its connection when an effect runs twice, and counts each unsubscribe function once', async () => {
    const { server, world, client } = startClient()
    const away = client.subscribe(() => {})
    await settle()
    away()
    client.subscribe(() => {})
    away()
    away()
    await world.advance(10_000)
    expect(server.streams.size).toBe(1)
    expect(server.calls.filter((call) => call.startsWith('connect'))).toHaveLength(1)
  })

  test('stays connected after connect(), until close()', async () => {
    const { server, world, client } = startClient()
    client.subscribe(() => {})()
    client.connect()
    client.subscribe(() => {})()
    await world.advance(60_000)
    expect(server.streams.size).toBe(1)
    client.close()
    client.subscribe(() => {})
    await world.advance(60_000)
    expect(server.streams.size).toBe(0)
  })

  test('does not connect because of reconnect(), which only skips a pause', async () => {
    const { server, world, client, status } = startClient()
    client.reconnect()
    await world.advance(10_000)
    expect(server.calls).toEqual([])
    const away = client.subscribe(() => {})
    await settle()
    world.chance(0.999)
    server.drop()
    expect(status()).toBe('reconnecting')
    client.reconnect()
    await settle()
    expect(status()).toBe('open')
    away()
    await world.advance(2_000)
    expect(server.streams.size).toBe(0)
  })

  test('tries with reconnect() although the browser reports that it is offline, and does not interrupt an attempt that is under way', async () => {
    const { server, world, client, status } = startClient()
    client.subscribe(() => {})
    await settle()
    world.happen('offline')
    expect(status()).toBe('offline')
    const before = server.calls.length
    client.reconnect()
    client.reconnect()
    await settle()
    expect(status()).toBe('open')
    expect(server.calls.length).toBe(before + 1)
  })

  test('still delivers an answer that it has received', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    const away = client.subscribe(() => {})
    await settle()
    away()
    await world.advance(5_000)
    expect(await client.respond('i1', { action: 'approve' })).toEqual({ status: 'accepted' })
    expect(server.streams.size).toBe(0)
  })
})

describe('an answer that was not sent', () => {
  const lost = () => Promise.reject(new Error('lost'))

  test('is sent again under its id when the client has reconnected', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    client.subscribe(() => {})
    await settle()
    server.script.onSend = lost
    server.script.onConnect = ({ listener }) => {
      listener.down({ code: 'network', message: 'gone' })
      return true
    }
    server.drop()
    const answer = client.respond('i1', { action: 'approve' })
    await world.advance(60_000)
    expect(await answer).toMatchObject({ status: 'not_sent' })
    server.script.onSend = undefined
    server.script.onConnect = undefined
    world.happen('online')
    await settle()
    expect(client.getSnapshot().interactions.get('i1')?.status).toBe('answered')
    expect(new Set(server.answers().map(({ answerId }) => answerId)).size).toBe(1)
  })

  test('is sent again within 30 s if only messages were lost and the stream stayed open', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    client.subscribe(() => {})
    await settle()
    server.script.onSend = lost
    world.chance(0.999)
    const answer = client.respond('i1', { action: 'approve' })
    await world.advance(20_000)
    expect(await answer).toMatchObject({ status: 'not_sent' })
    server.script.onSend = undefined
    await world.advance(30_000)
    expect(client.getSnapshot().interactions.get('i1')?.status).toBe('answered')
    expect(new Set(server.answers().map(({ answerId }) => answerId)).size).toBe(1)
  })

  test('is sent again although its client has no stream, as in an inbox', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    const away = client.subscribe(() => {})
    await settle()
    away()
    await world.advance(5_000)
    server.script.onSend = lost
    const answer = client.respond('i1', { action: 'approve' })
    await world.advance(20_000)
    expect(await answer).toMatchObject({ status: 'not_sent' })
    server.script.onSend = undefined
    await world.advance(30_000)
    expect(client.getSnapshot().interactions.get('i1')?.status).toBe('answered')
    expect(new Set(server.answers().map(({ answerId }) => answerId)).size).toBe(1)
  })

  test('is sent again when "resend" is emitted, so that its listeners repeat their own requests at the same moment', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    const moments: string[] = []
    client.subscribe(() => moments.push(client.getSnapshot().connection.status), 'resend')
    await settle()
    moments.length = 0
    server.script.onSend = lost
    const stop = client.cancelRun('run-1').catch((error) => error.code)
    await world.advance(20_000)
    expect(await stop).toBe('network')
    await world.advance(10_000)
    expect(moments).toEqual(['open'])
    server.drop()
    await world.advance(20_000)
    expect(moments).toEqual(['open', 'open'])
  })

  test('is not sent once the question has ended', async () => {
    const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
    client.subscribe(() => {})
    await settle()
    server.script.onSend = lost
    const answer = client.respond('i1', { action: 'approve' })
    await world.advance(10_000)
    await answer
    const tries = server.answers().length
    server.emit({ ...request('i1'), type: 'interaction_closed', reason: 'expired' } as never)
    await world.advance(120_000)
    expect(server.answers()).toHaveLength(tries)
  })
})
