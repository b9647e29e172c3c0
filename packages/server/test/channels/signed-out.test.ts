import { createServer } from 'node:http'
import { attachWebSocket } from '@holdpoint/server/ws'
import { expect, onTestFinished, test } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { FakeClock } from '../http/support/fake-clock.ts'
import { makeRequest, serve } from '../http/support/requests.ts'
import { listen } from '../http/support/servers.ts'
import { connectSocket } from './support/connect-socket.ts'

const path = '/holdpoint/ws'

test('[HP-SEC-10] a user who signed out decides nothing over a WebSocket that is still open [N4.1]', async () => {
  let signedIn = true
  let checks = 0
  let elapsed = 0
  const server = serve({
    authenticate: () => {
      checks++
      return signedIn ? { userId: 'ada' } : null
    },
    clock: {
      id: () => crypto.randomUUID(),
      now: Date.now,
      elapsed: () => elapsed,
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    },
  })
  onTestFinished(() => appOf(server).close())
  await server.engine.create('s1', 'ada')
  const decided: string[] = []
  server.engine.cancelRun = async (_who, _session, { runId }) => {
    decided.push(runId)
    return { status: 200, body: { status: 'cancelled' } }
  }
  const running = await listen(createServer().listeners('request')[0] as never)
  onTestFinished(() => running.stop())
  attachWebSocket(running.server, server, { path })
  const socket = await connectSocket(running.url, 's1')
  const before = checks
  expect(await socket.send('a', { type: 'cancel_run', runId: 'r1' })).toMatchObject({ status: 200 })
  // The check at the upgrade is young enough.
  expect(checks).toBe(before)
  elapsed += 2_001
  const both = [
    socket.send('b', { type: 'cancel_run', runId: 'r2' }),
    socket.send('c', { type: 'cancel_run', runId: 'r3' }),
  ]
  expect(await Promise.all(both)).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(checks).toBe(before + 1)
  signedIn = false
  elapsed += 2_001
  // Presence decides nothing.
  expect(await socket.send('d', { type: 'hello' })).toMatchObject({ status: 200 })
  expect(await socket.send('e', { type: 'cancel_run', runId: 'r4' })).toMatchObject({
    status: 401,
    body: { error: { code: 'not_authenticated' } },
  })
  expect(decided).toEqual(['r1', 'r2', 'r3'])
})

test('a user who signs out while the body of an answer arrives decides nothing [N4.3]', async () => {
  let signedIn = true
  const clock = new FakeClock()
  const { engine, fetch } = serve({ clock, authenticate: () => (signedIn ? { userId: 'ada' } : null) })
  await engine.create('s1', 'ada')
  const decided: string[] = []
  engine.cancelRun = async (_who, _session, { runId }) => {
    decided.push(runId)
    return { status: 200, body: { status: 'cancelled' } }
  }
  const send = async (meanwhile: () => Promise<void> | void) => {
    let finish = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          controller.enqueue(new TextEncoder().encode('{"type":"cancel_run","clientId":"tab","runId":"r1"}'))
          controller.close()
        }
      },
    })
    const response = fetch(makeRequest('/sessions/s1/messages', { body }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await meanwhile()
    finish()
    return (await response).status
  }
  expect(await send(() => clock.advance(2_001))).toBe(200)
  expect(decided).toEqual(['r1'])
  const signsOut = async () => {
    await clock.advance(2_001)
    signedIn = false
  }
  expect(await send(signsOut)).toBe(401)
  expect(decided).toEqual(['r1'])
})
