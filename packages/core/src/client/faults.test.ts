import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closed, content, request, response } from '../../test/support/log.ts'
import { model } from '../../test/support/model.ts'
import { scriptedServer } from '../../test/support/scripted-server.ts'
import { settle, virtualEnvironment } from '../../test/support/virtual-environment.ts'
import type { HoldpointEvent } from '../protocol/events.ts'

import { cursorAt } from '../wire/index.ts'
import { createHoldpointClient } from './create-client.ts'

type World = ReturnType<typeof virtualEnvironment>
type Server = ReturnType<typeof scriptedServer>
type Step = (server: Server, world: World, n: number) => unknown

/** Returns the n-th event of a session, so that questions are asked, answered and forgotten in some order. */
function nth(n: number, choice: number): HoldpointEvent {
  const older = `i${Math.max(0, n - 1 - (choice % 5))}`
  if (choice % 3 === 0)
    return request(`i${n}`, { toolCallId: `c${n % 3}`, timestamp: new Date(1e12 + n).toISOString() })
  if (choice % 3 === 1) return response(older)
  return choice % 2 ? closed(older, 'failed') : content(`word ${n}`)
}

const event = fc.nat(29)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: event.map(
      (choice): Step =>
        (server, _world, n) =>
          server.emit(nth(n, choice)),
    ),
  },
  {
    weight: 3,
    arbitrary: event.map(
      (choice): Step =>
        (server, _world, n) =>
          server.append(nth(n, choice)),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.nat(50_000).map(
      (ms): Step =>
        (_server, world) =>
          world.advance(ms),
    ),
  },
  fc.constantFrom<Step[]>(
    (server) => server.drop(),
    (server) => server.drop({ code: 'unauthorized', message: 'no' }),
    (server) => server.drop({ code: 'not_found', message: 'no' }),
    (server) => server.reset('trimmed'),
    (_server, world) => world.jump(3_600_000),
    (_server, world) => world.jump(-3_600_000),
    (server) => {
      // The last events again, as after a resend.
      const entries = server.log.map((event, i) => ({
        event,
        cursor: cursorAt(server.epoch, { seq: i + 1, json: JSON.stringify(event) }),
      }))
      for (const { listener } of [...server.streams]) listener.events(entries.slice(-3))
    },
    (server) => {
      server.script.onSnapshot = () => ({ status: 503, body: 'busy' })
    },
    (server) => {
      server.script.onSnapshot = () => new Promise(() => {})
    },
    (server) => {
      server.script.onSnapshot = undefined
    },
    (server) => {
      server.script.onConnect = (stream) => {
        stream.listener.down({ code: 'network', message: 'refused' })
        return true
      }
    },
    (server) => {
      server.script.onConnect = undefined
    },
  ),
  fc.constantFrom('online', 'offline', 'visible', 'hidden', 'thawed', 'frozen').map(
    (type): Step =>
      (_server, world) =>
        world.happen(type as 'online'),
  ),
)
const restore: fc.Arbitrary<Step> = fc.tuple(fc.nat(10), fc.constantFrom('e1', 'e2', 'e3')).map(
  ([kept, epoch]): Step =>
    (server) => {
      server.restore([...server.log.slice(0, kept), content(`restored ${server.log.length}`)], epoch)
      server.drop()
    },
)

async function survive(steps: readonly Step[], history: 'snapshot' | 'log') {
  const server = scriptedServer()
  const world = virtualEnvironment()
  const client = createHoldpointClient({
    sessionId: 'task-42',
    clientId: 'tab-1',
    transport: server.transport,
    environment: world.env,
    history,
  })
  const heard: HoldpointEvent[] = []
  client.onEvent((event) => heard.push(event))
  let n = 0
  for (const act of steps) {
    await act(server, world, n++)
    await settle()
  }
  // The faults end, and the page becomes visible.
  server.script.onSnapshot = undefined
  server.script.onConnect = undefined
  world.happen('online')
  world.happen('thawed')
  world.happen('visible')
  await world.advance(120_000)
  const state = client.getSnapshot()
  client.close()
  return { server, world, state, heard }
}

test('after any network faults the client has the state of the log, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 20, arbitrary: step }, restore), { maxLength: 40 }), async (steps) => {
      const { server, world, state } = await survive(steps, 'snapshot')
      const expected = model(server.log, 'tab-1')
      const status = ({ id, status }: { id: string; status: string }) => `${id} ${status}`
      const shown = [...state.interactions.values()].map((it) => status({ id: it.interactionId, status: it.status }))
      expect(state.connection.status).toBe('open')
      expect(shown.sort()).toEqual(expected.interactions.map(status).sort())
      expect([...state.pendingIds].sort()).toEqual([...expected.pendingIds].sort())
      expect([world.timers.size, world.watchers.size, server.streams.size]).toEqual([0, 0, 0])
    }),
    { numRuns: 300 },
  )
})

test('with history "log" the client receives every event once and in order, unless the server had to reset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { server, heard } = await survive(steps, 'log')
      fc.pre(!server.wasReset)
      expect(heard).toEqual(server.log)
    }),
    { numRuns: 300 },
  )
})
