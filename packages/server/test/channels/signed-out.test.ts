import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { attachWebSocket } from '@holdpoint/server/ws'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../http/support/requests.ts'
import { listen } from '../http/support/servers.ts'
import { answers } from './support/frames-wiring.ts'

const path = '/holdpoint/ws'

async function connect(url: string, session: string) {
  const client = new WebSocket(`${url.replace('http', 'ws')}/ws?session=${session}&client=c1`, {
    headers: { authorization: 'Bearer ada' },
  })
  onTestFinished(() => client.terminate())
  const heard = answers()
  client.on('message', (data) => heard.take(String(data)))
  await new Promise((resolve) => client.once('open', resolve))
  return {
    closed: new Promise<number>((resolve) => client.once('close', resolve)),
    send(id: string, message: object) {
      client.send(JSON.stringify({ id, message: { clientId: 'c1', ...message } }))
      return heard.next()
    },
  }
}

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
  onTestFinished(() => server.fetch.app.close())
  await server.engine.create('s1', 'ada')
  const decided: string[] = []
  server.engine.cancelRun = async (_who, _session, { runId }) => {
    decided.push(runId)
    return { status: 200, body: { status: 'cancelled' } }
  }
  const running = await listen(createServer().listeners('request')[0] as never)
  onTestFinished(() => running.stop())
  attachWebSocket(running.server, server, { path })
  const socket = await connect(running.url, 's1')
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

test('a revoked user loses the streams of every node that shares the store [N4.2]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = async () => {
    const holdpoint = createHoldpoint({
      store: sqliteStore({ path: join(folder, 'data.db') }),
      authenticate: (request) => ({ userId: request.headers.get('authorization')?.slice(7) ?? '' }),
    })
    onTestFinished(() => holdpoint.close())
    const running = await listen(toNodeHandler(holdpoint))
    onTestFinished(() => running.stop())
    onTestFinished(attachWebSocket(running.server, holdpoint, { path }))
    return { holdpoint, running }
  }
  const [here, there] = [await start(), await start()]
  await here.holdpoint.session('s1', { userId: 'ada' }).emit({ type: 'content', text: 'begin' })
  const sockets = await Promise.all([connect(here.running.url, 's1'), connect(there.running.url, 's1')])
  await here.holdpoint.revoke({ userId: 'eve' })
  await here.holdpoint.revoke({ userId: 'ada' })
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401])
})
