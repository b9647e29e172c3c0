import { describe, expect, test, vi } from 'vitest'
import { closed, content, request, response, toolCall } from '../../test/support/log.ts'
import { model } from '../../test/support/model.ts'
import { startClient } from '../../test/support/start-client.ts'
import { settle } from '../../test/support/virtual-environment.ts'

test('a client connects with its first subscriber, once', async () => {
  const { server, world, client, status } = startClient()
  await world.advance(1_000)
  expect(server.calls).toEqual([])
  const away = client.subscribe(() => {})
  away()
  client.subscribe(() => {})
  await settle()
  expect(server.calls).toEqual(['snapshot', 'connect e1.0.0'])
  expect(status()).toBe('open')
  expect(server.sent).toEqual([
    { type: 'hello', clientId: 'tab-1', interaction: { supported: true, enabled: true }, visible: true },
  ])
})

test('a client reports the visibility of its page at the start and at each change', async () => {
  const { server, world, client } = startClient()
  world.happen('hidden')
  client.subscribe(() => {})
  await settle()
  const said = () => server.sent.map((message) => (message as { visible?: boolean }).visible)
  expect(said()).toEqual([false])
  world.happen('visible')
  await settle()
  world.happen('hidden')
  await settle()
  expect(said()).toEqual([false, true, false])
  server.drop()
  world.happen('visible')
  await world.advance(5_000)
  expect(said()).toEqual([false, true, false, true])
})

test('a client receives each question once, from before the connection, live, or from an interruption', async () => {
  const seen: string[] = []
  const { server, world, client, ids } = startClient({}, (server) =>
    server.append(request('i1'), response('i1'), request('i2')),
  )
  client.onEvent((event) => seen.push(`${event.type} ${(event as { interactionId?: string }).interactionId}`))
  await settle()
  expect(client.getSnapshot().pendingIds).toEqual(['i2'])
  server.emit(request('i3'))
  server.drop()
  server.append(request('i4'), response('i2'))
  await world.advance(2_000)
  expect(ids().sort()).toEqual(['i1', 'i2', 'i3', 'i4'])
  expect(seen).toEqual(['interaction_request i3', 'interaction_request i4', 'interaction_response i2'])
  expect(client.getSnapshot().pendingIds).toEqual(model(server.log, 'tab-1').pendingIds)
  expect(server.calls.filter((call) => call === 'snapshot')).toHaveLength(1)
})

test('an event that is appended between the snapshot and the stream is not lost', async () => {
  const { server, client, ids } = startClient({}, (server) => server.append(request('i1')))
  server.script.onConnect = () => {
    server.script.onConnect = undefined
    server.append(request('i2'))
    return undefined
  }
  client.subscribe(() => {})
  await settle()
  expect(ids()).toEqual(['i1', 'i2'])
})

test('with history "log" the client reads the log from its beginning, and a trimmed log from a snapshot', async () => {
  const events: string[] = []
  const { server, client } = startClient({ history: 'log' }, (server) =>
    server.append(content('a'), request('i1'), content('b')),
  )
  client.onEvent((event) => events.push(event.type))
  await settle()
  expect(server.calls).toEqual(['snapshot', 'connect e1.0.0'])
  expect(events).toEqual(['content', 'interaction_request', 'content'])
  expect(client.getSnapshot()).toMatchObject({ ready: true, you: { userId: 'ada' }, pendingIds: ['i1'] })

  const trimmed = startClient({ history: 'log' }, (server) => {
    server.append(request('i1'), content('b'))
    server.script.onConnect = (stream) => {
      if (stream.cursor !== 'e1.0.0') return undefined
      stream.listener.open()
      stream.listener.reset('trimmed')
      return true
    }
  })
  trimmed.client.subscribe(() => {})
  await settle()
  expect(trimmed.client.getSnapshot().pendingIds).toEqual(['i1'])
  expect(trimmed.status()).toBe('open')
})

describe('a client whose history was replaced', () => {
  test.each([
    ['a new epoch', 'e2', [request('n1')]],
    ['a fork under the same epoch', 'e1', [request('n1'), content('x'), content('y')]],
    ["a log that ends before the client's cursor", 'e1', [request('n1')]],
  ])('%s: drops the old history and shows the new one', async (_name, epoch, events) => {
    const { server, world, client, ids } = startClient({}, (server) => server.append(request('i1'), response('i1')))
    client.subscribe(() => {})
    await settle()
    server.restore(events, epoch)
    server.drop()
    await world.advance(2_000)
    expect(ids()).toEqual(['n1'])
    server.emit(closed('n1', 'expired'))
    expect(client.getSnapshot().interactions.get('n1')?.status).toBe('expired')
  })
})

test('a gap in the stream is filled, never skipped', async () => {
  const { server, world, client, ids } = startClient({}, (server) => server.append(request('i1')))
  client.subscribe(() => {})
  await settle()
  server.append(request('i2'))
  server.emit(request('i3'))
  expect(ids()).toEqual(['i1'])
  await world.advance(100)
  expect(ids()).toEqual(['i1', 'i2', 'i3'])
})

test('an event that cannot be read is reported and does not count as a gap', async () => {
  const onProblem = vi.fn()
  const { server, client, ids } = startClient({ onProblem }, (server) => server.append(request('i1')))
  client.subscribe(() => {})
  await settle()
  const [stream] = server.streams
  server.append(content('unreadable'))
  stream!.listener.malformed({ code: 'malformed_event', message: 'no' })
  server.emit(request('i2'))
  expect(ids()).toEqual(['i1', 'i2'])
  expect(onProblem).toHaveBeenCalledWith({ code: 'malformed_event', message: 'no' })
  expect(server.calls.filter((call) => call === 'snapshot')).toHaveLength(1)
})

test('an unreadable event is tolerated only at its own position', async () => {
  const { server, world, client, ids } = startClient({}, (server) => server.append(request('i1')))
  client.subscribe(() => {})
  await settle()
  const [stream] = server.streams
  server.append(content('unreadable'))
  stream!.listener.malformed({ code: 'malformed_event', message: 'no' })
  server.emit(request('i2'))
  server.append(request('i3'))
  server.emit(request('i4'))
  expect(ids()).toEqual(['i1', 'i2'])
  await world.advance(100)
  expect(ids().sort()).toEqual(['i1', 'i2', 'i3', 'i4'])
})

test('a stream with a repeated gap at the same place is replaced by a snapshot', async () => {
  const { server, world, client, ids } = startClient({}, (server) => server.append(request('i1')))
  client.subscribe(() => {})
  await settle()
  server.append(content('never sent'), request('i3'))
  server.script.onConnect = (stream) => {
    if (!stream.cursor?.startsWith('e1.1.')) return undefined
    stream.listener.open()
    stream.listener.events([{ cursor: 'e1.3.x', event: request('i3') }])
    return true
  }
  server.drop()
  await world.advance(10_000)
  expect(ids()).toEqual(['i1', 'i3'])
})

test('a server that keeps sending gaps receives requests with growing pauses', async () => {
  const { server, world, client } = startClient({}, (server) => server.append(request('i1')))
  server.script.onConnect = (stream) => {
    stream.listener.open()
    server.append(content('lost'), content('seen'))
    const { cursor } = { cursor: `e1.${server.log.length}.zzz` }
    stream.listener.events([{ cursor, event: content('seen') }])
    return true
  }
  client.subscribe(() => {})
  await world.advance(60_000)
  const opened = server.calls.filter((call) => call.startsWith('connect')).length
  expect(opened).toBeGreaterThan(3)
  expect(opened).toBeLessThan(24)
})

describe('failures', () => {
  test('a session that does not exist yet is polled without a report, and shown as soon as it exists', async () => {
    const { server, world, client, status } = startClient()
    let there = false
    server.script.onSnapshot = () => (there ? undefined : { status: 404, body: {} })
    client.subscribe(() => {})
    await world.advance(2_000)
    expect(client.getSnapshot().connection).toMatchObject({ status: 'connecting', attempt: 0 })
    expect(client.getSnapshot().connection.error).toBeUndefined()
    expect(server.calls.length).toBeGreaterThan(4)
    there = true
    await world.advance(2_000)
    expect(status()).toBe('open')
  })

  test('missing credentials are reported, and the client continues with new ones', async () => {
    const { server, world, client, status } = startClient()
    let token = 'old'
    server.script.onSnapshot = () => (token === 'old' ? { status: 401, body: {} } : undefined)
    client.subscribe(() => {})
    await world.advance(500)
    expect(status()).toBe('unauthorized')
    token = 'new'
    client.connect()
    await settle()
    expect(status()).toBe('open')
    server.drop({ code: 'unauthorized', message: 'revoked' })
    expect(status()).toBe('unauthorized')
    await world.advance(1_000)
    expect(status()).toBe('open')
  })

  test('the client waits for Retry-After', async () => {
    const { server, world, client } = startClient()
    server.script.onSnapshot = () => ({ status: 429, body: {}, retryAfterMs: 20_000 })
    client.subscribe(() => {})
    await world.advance(19_900)
    expect(server.calls).toHaveLength(1)
    await world.advance(2_000)
    expect(server.calls).toHaveLength(2)
  })

  test('half-open streams and snapshots without a response time out', async () => {
    const { server, world, client, status } = startClient()
    client.subscribe(() => {})
    await settle()
    await world.advance(40_000)
    for (const { listener } of server.streams) listener.alive()
    await world.advance(40_000)
    expect(status()).toBe('open')
    await world.advance(5_100)
    expect(status()).toBe('reconnecting')
    server.script.onSnapshot = () => new Promise(() => {})
    server.reset('trimmed')
    await world.advance(1_000)
    const hanging = startClient({}, (other) => {
      other.script.onSnapshot = () => new Promise(() => {})
    })
    hanging.client.subscribe(() => {})
    await hanging.world.advance(45_100)
    expect(hanging.server.aborted).toEqual(['snapshot'])
  })

  test('an offline client tries nothing, and connects at once when it is online', async () => {
    const { server, world, client, status } = startClient()
    client.subscribe(() => {})
    await settle()
    world.happen('offline')
    expect(status()).toBe('offline')
    expect(server.streams.size).toBe(0)
    const before = server.calls.length
    await world.advance(3_600_000)
    expect(server.calls).toHaveLength(before)
    world.happen('online')
    await settle()
    expect(status()).toBe('open')
  })

  test('a page that has been hidden for long connects for short checks only, and catches up at once when it is visible [R6.3]', async () => {
    const { server, world, client, ids } = startClient()
    client.subscribe(() => {})
    await settle()
    world.happen('hidden')
    const beat = async (minutes: number) => {
      for (let i = 0; i < minutes * 4; i++) {
        await world.advance(15_000)
        for (const { listener } of server.streams) listener.alive()
      }
    }
    await beat(5)
    server.calls.length = 0
    let held = 0
    for (let i = 0; i < 600; i++) {
      await world.advance(1_000)
      held += server.streams.size
    }
    expect(held).toBeLessThan(120)
    expect(held).toBeGreaterThan(20)
    server.append(request('i1'))
    await world.advance(40_000)
    expect(ids()).toEqual(['i1'])
    server.append(request('i2'))
    world.happen('visible')
    await settle()
    expect(ids()).toEqual(['i1', 'i2'])
    expect(server.streams.size).toBe(1)
  })

  test('a clock that is set ahead or back does not end the connection for good [R6.2]', async () => {
    for (const jump of [86_400_000, -86_400_000, 1e12, -1e12]) {
      const { server, world, client, status } = startClient()
      client.subscribe(() => {})
      await settle()
      world.jump(jump)
      await world.advance(50_000)
      expect(status(), String(jump)).toMatch(/open|reconnecting/)
      await world.advance(3_000)
      server.emit(request('i1'))
      expect(client.getSnapshot().pendingIds, String(jump)).toEqual(['i1'])
    }
  })

  test('a transport that throws or calls back synchronously does not break the client', async () => {
    const { server, world, client, status } = startClient()
    const { connect } = server.transport
    let times = 0
    server.transport.connect = (context, cursor, listener) => {
      if (++times === 1) throw new Error('no such thing')
      if (times === 2) listener.down({ code: 'network', message: 'at once' })
      return times === 2 ? { close() {} } : connect(context, cursor, listener)
    }
    client.subscribe(() => {})
    await world.advance(5_000)
    expect(status()).toBe('open')
  })

  test('events of old streams are ignored', async () => {
    const { server, world, client, ids } = startClient()
    client.subscribe(() => {})
    await settle()
    const [old] = server.streams
    server.drop()
    await world.advance(2_000)
    old!.listener.events([{ cursor: 'e1.1.x', event: request('ghost') }])
    old!.listener.reset('epoch')
    old!.listener.down({ code: 'network', message: 'late' })
    expect(ids()).toEqual([])
    expect(server.streams.size).toBe(1)
  })
})

test('tool calls keep their logs through a reconnect with a trimmed log', async () => {
  const { server, world, client } = startClient()
  client.subscribe(() => {})
  await settle()
  server.emit(toolCall('start'), toolCall('update', { logs: ['one'] }), request('i1'))
  server.append(response('i1'))
  server.reset('trimmed')
  await world.advance(1_000)
  expect(client.getSnapshot().toolCalls.get('call-1')).toMatchObject({ logs: ['one'], interactionIds: ['i1'] })
  expect(client.getSnapshot().interactions.get('i1')?.status).toBe('answered')
})

test('a host that renders the log from onEvent learns that a part of it will not arrive', async () => {
  const problems: string[] = []
  const heard: string[] = []
  const { server, world, client } = startClient({ history: 'log', onProblem: ({ code }) => problems.push(code) })
  client.onEvent(({ type }) => heard.push(type))
  await settle()
  server.emit(request('i1'))
  server.drop()
  await world.advance(2_000)
  expect(problems).toEqual([])
  server.reset('trimmed')
  await world.advance(1_000)
  // The snapshot was as new as the client's cursor, so nothing was left out.
  expect(problems).toEqual([])
  server.append(response('i1'), request('i2'))
  server.reset('trimmed')
  await world.advance(5_000)
  expect(heard).toEqual(['interaction_request'])
  expect(client.getSnapshot().pendingIds).toEqual(['i2'])
  expect(problems).toEqual(['events_skipped'])
})
