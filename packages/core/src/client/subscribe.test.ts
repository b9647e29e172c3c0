import { describe, expect, test, vi } from 'vitest'
import { closed, content, log, request, response, run, time, toolCall } from '../../test/support/log.ts'
import { scriptedServer } from '../../test/support/scripted-server.ts'
import { settle, virtualEnvironment } from '../../test/support/virtual-environment.ts'
import { selectForToolCall } from '../machine/state/selectors.ts'
import type { Interaction, SessionState } from '../machine/state/types.ts'
import { cardViewOf } from '../machine/state/view.ts'

import { createHoldpointClient } from './create-client.ts'

async function start() {
  const server = scriptedServer()
  const world = virtualEnvironment()
  const client = createHoldpointClient({ sessionId: 'task-42', transport: server.transport, environment: world.env })
  client.connect()
  await settle()
  return { server, world, client }
}

describe('notification of listeners', () => {
  test('one change calls one of 10,000 listeners', async () => {
    const { server, client } = await start()
    server.emit(...Array.from({ length: 10_000 }, (_, i) => request(`i${i}`, { toolCallId: `c${i}` })))
    const told: number[] = []
    for (let i = 0; i < 10_000; i++) client.subscribe(() => told.push(i), `interaction:i${i}`)
    server.emit(response('i4711'))
    expect(told).toEqual([4711])
  })

  test('each topic notifies only its own listeners', async () => {
    const { server, client } = await start()
    const told: string[] = []
    const topics = ['interaction:i1', 'call:call-1', 'run:run-1', 'pending', 'connection', 'mode', 'session'] as const
    for (const topic of topics) client.subscribe(() => told.push(topic), topic)
    client.subscribe(() => told.push('any'))
    const after = (act: () => void) => {
      told.length = 0
      act()
      return told.sort()
    }
    expect(after(() => server.emit(request('i1')))).toEqual(['any', 'call:call-1', 'interaction:i1', 'pending'])
    expect(after(() => server.emit(run('run-1', 'running')))).toEqual(['any', 'run:run-1'])
    expect(after(() => server.emit(toolCall('update', { logs: ['x'] })))).toEqual(['any', 'call:call-1'])
    expect(after(() => server.emit(content('no listener')))).toEqual([])
    expect(after(() => client.setInteractionMode(false))).toEqual(['any', 'mode'])
    expect(after(() => server.emit(response('i1')))).toEqual(['any', 'interaction:i1', 'pending'])
    expect(after(() => server.emit(closed('i1', 'failed')))).toEqual(['any', 'interaction:i1'])
    expect(after(() => server.drop())).toEqual(['any', 'connection'])
  })

  test('a listener is notified of what a new history no longer contains', async () => {
    const { server, world, client } = await start()
    server.emit(request('i1'), run('run-1', 'running'), request('i2', { toolCallId: 'call-2' }))
    const told: string[] = []
    const topics = ['interaction:i1', 'call:call-1', 'run:run-1', 'interaction:i2', 'call:call-2'] as const
    for (const topic of topics) client.subscribe(() => told.push(topic), topic)
    server.restore([request('i2', { toolCallId: 'call-2' })])
    server.reset('epoch')
    await world.advance(1_000)
    expect(client.getSnapshot().interactions.has('i1')).toBe(false)
    expect(told).toEqual(expect.arrayContaining(['interaction:i1', 'call:call-1', 'run:run-1']))
  })

  test('several topics cause one call, the same function twice causes two, and a second unsubscribe call has no effect', async () => {
    const { server, client } = await start()
    const listener = vi.fn()
    const one = client.subscribe(listener, ['interaction:i1', 'pending', 'call:call-1'])
    const two = client.subscribe(listener, 'pending')
    server.emit(request('i1'))
    expect(listener).toHaveBeenCalledTimes(2)
    one()
    one()
    server.emit(request('i2'))
    expect(listener).toHaveBeenCalledTimes(3)
    two()
    server.emit(request('i3'))
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('a listener that another one removes during the notification is not called', async () => {
    const { server, client } = await start()
    const second = vi.fn()
    client.subscribe(() => away(), 'pending')
    const away = client.subscribe(second, 'pending')
    server.emit(request('i1'))
    expect(second).not.toHaveBeenCalled()
  })

  test('a listener that throws stops neither the others nor the stream, and its error is not swallowed', async () => {
    const { server, client } = await start()
    const uncaught: unknown[] = []
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => uncaught.push(error))
    const listener = vi.fn()
    client.subscribe(() => {
      throw new Error('mine')
    }, 'pending')
    client.onEvent(() => {
      throw new Error('mine too')
    })
    client.subscribe(listener, 'pending')
    server.emit(request('i1'))
    server.emit(request('i2'))
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.removeAllListeners('uncaughtException')
    for (const handler of before) process.on('uncaughtException', handler)
    expect(listener).toHaveBeenCalledTimes(2)
    expect(uncaught.map(String)).toEqual(['Error: mine', 'Error: mine too', 'Error: mine', 'Error: mine too'])
  })
})

test('snapshots are the same object until something changes, and the server snapshot never changes', async () => {
  const { server, client } = await start()
  const first = client.getServerSnapshot()
  server.emit(request('i1'))
  const snapshot = client.getSnapshot()
  expect(client.getSnapshot()).toBe(snapshot)
  expect(client.getServerSnapshot()).toBe(first)
  const [one] = server.streams
  one!.listener.alive()
  expect(client.getSnapshot()).toBe(snapshot)
})

test('a double-invoked effect subscribes twice, receives each change once, and connects once', async () => {
  const server = scriptedServer()
  const world = virtualEnvironment()
  const client = createHoldpointClient({ sessionId: 'task-42', transport: server.transport, environment: world.env })
  const heard = vi.fn()
  const effect = () => client.subscribe(heard, 'pending')
  effect()()
  effect()
  await settle()
  server.emit(request('i1'))
  expect(heard).toHaveBeenCalledTimes(1)
  expect(server.calls.filter((call) => call.startsWith('connect'))).toHaveLength(1)
})

test('a user interface runs from a recorded log without a server', () => {
  const recorded = log([
    toolCall('start'),
    request('i1', { interactionType: 'input' }),
    response('i1', { action: 'submit', respondedBy: { clientId: 'tab-1' } }),
    request('i2', { replaces: 'i1', attempt: 2, error: 'Not an address.' }),
    response('i2', { respondedBy: { clientId: 'tab-1' } }),
    toolCall('complete'),
  ])
  const nowhere = scriptedServer()
  const frames = recorded.map((_, i) => {
    const client = createHoldpointClient({
      sessionId: 'task-42',
      clientId: 'tab-1',
      transport: nowhere.transport,
      autoConnect: false,
      initial: { events: recorded.slice(0, i + 1) },
      environment: virtualEnvironment().env,
    })
    client.subscribe(() => {})
    return draw(client.getSnapshot())
  })
  expect(frames).toEqual([
    '-',
    'i1 pending [Delete 3 files?]',
    'i1 answered-here',
    'i2 reprompted [Delete 3 files?] Not an address.',
    'i2 approved-still-running',
    'i2 answered-here',
  ])
  expect(nowhere.calls).toEqual([])
})

/** A minimal user interface: a function of the state. */
function draw(state: SessionState): string {
  const question: Interaction | undefined = selectForToolCall(state, 'call-1')
  if (!question) return '-'
  const view = cardViewOf(question, state, time)
  const { prompt = '', error = '' } = question.request as { prompt?: string; error?: string }
  return [question.interactionId, view.state, ...(view.canAnswer ? [`[${prompt}]`, error] : [])]
    .filter(Boolean)
    .join(' ')
}
