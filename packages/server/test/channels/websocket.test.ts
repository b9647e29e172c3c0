import { createServer } from 'node:http'
import { channelSuite } from '@holdpoint/conformance/channel'
import { websocket } from '@holdpoint/core'
import { webSocketProtocol } from '@holdpoint/core/internal'
import { toNodeHandler } from '@holdpoint/server/node'
import { attachWebSocket } from '@holdpoint/server/ws'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { appOf } from '../../src/http/mounted.ts'
import { serve } from '../http/support/requests.ts'
import { listen, type Running } from '../http/support/servers.ts'
import { answers, rawFrame } from './support/frames-wiring.ts'
import { httpWiring } from './support/http-wiring.ts'
import { makeWorld, type Wired, type Wiring } from './support/world.ts'

const path = '/holdpoint/ws'
const head =
  'GET /holdpoint/ws?session=SESSION&client=stalled HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer USER\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

async function wire(wired: Wired): Promise<Wiring> {
  let running: Running | undefined
  const start = async () => {
    running = await listen(toNodeHandler(wired.holdpoint))
    attachWebSocket(running.server, wired.holdpoint, { path })
    return running
  }
  const http = await httpWiring(wired, start, websocket, head)
  return {
    ...http,
    async sendRaw(user, sessionId, message) {
      const url = `${running?.url.replace('http', 'ws')}/ws?session=${encodeURIComponent(sessionId)}&client=raw`
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${user}` } })
      const heard = answers()
      socket.on('message', (data) => heard.take(String(data)))
      await new Promise<void>((resolve) => socket.once('open', () => resolve()))
      socket.send(rawFrame(message))
      const { status, body } = await heard.next()
      socket.terminate()
      return { status, body }
    },
    async stop() {
      http.cut?.()
      await http.stop()
    },
  }
}

channelSuite('WebSocket', { credentials: true, make: (tuning) => makeWorld(wire, tuning) })

describe('upgrades', () => {
  let running: Running
  let server: ReturnType<typeof serve>
  let detach: () => void
  beforeEach(async () => {
    server = serve({
      authenticate: (request) => {
        const user = request.headers.get('authorization')?.slice(7) ?? request.headers.get('x-user')
        return user ? { userId: user } : null
      },
    })
    await server.engine.create('s1', 'ada')
    running = await listen(createServer().listeners('request')[0] as never)
    detach = attachWebSocket(running.server, server, { path })
  })
  afterEach(async () => {
    detach()
    appOf(server).close()
    await running.stop()
  })

  /** Returns the result of an upgrade: open, a close code, or the status of the refusal. */
  const outcome = (target: string, headers: Record<string, string> = {}, protocols: string[] = []) => {
    const socket = new WebSocket(running.url.replace('http', 'ws').replace('/holdpoint', target), protocols, {
      headers,
    })
    return new Promise<{ open?: WebSocket; code?: number; status?: number }>((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve({ status: response.statusCode ?? 0 }))
      socket.on('error', () => {})
      socket.on('close', (code) => resolve({ code }))
      // A refusal after the upgrade is a close right behind it.
      socket.on('open', () => setTimeout(() => resolve({ open: socket }), 100))
    })
  }
  const bearer = (token: string) => `holdpoint.bearer.${Buffer.from(token).toString('base64url')}`

  test('[HP-SEC-5] threat 8: a foreign page opens no socket with the cookies of any user [T8.1]', async () => {
    const ada = { 'x-user': 'ada' }
    expect(await outcome(`${path}?session=s1`, { ...ada, origin: 'https://evil.example' })).toEqual({ status: 403 })
    expect(await outcome(`${path}?session=s1`, { ...ada, origin: 'null' })).toEqual({ status: 403 })
    expect(await outcome(`${path}?session=s1`, ada)).toEqual({ status: 403 })
    expect(appOf(server).hub.size.streams).toBe(0)
    const { open } = await outcome(`${path}?session=s1`, { ...ada, origin: new URL(running.url).origin })
    expect(open?.readyState).toBe(1)
    open?.terminate()
  })

  test('[HP-WS-1] [HP-WS-2] a bearer token among the subprotocols authenticates, and the response does not repeat it', async () => {
    const { open } = await outcome(`${path}?session=s1`, {}, [webSocketProtocol, bearer('ada')])
    expect([open?.readyState, open?.protocol]).toEqual([1, webSocketProtocol])
    open?.terminate()
    expect(await outcome(`${path}?session=s1`, {}, [webSocketProtocol, bearer('')])).toEqual({ status: 403 })
  })

  test('[HP-WS-3] a rejection after the upgrade is closed with a code that contains the HTTP status', async () => {
    const eve = { authorization: 'Bearer eve' }
    for (const session of ['s1', 'nobodys']) {
      const { open } = await outcome(`${path}?session=${session}`, eve)
      expect(open?.readyState).toBe(1)
      open?.terminate()
    }
    expect(await outcome(path, eve)).toEqual({ code: 4404 })
    expect(await outcome(`${path}?session=s1`, { authorization: 'Bearer ' })).toEqual({ status: 403 })
    expect(await outcome(`${path}?session=s1`, { origin: new URL(running.url).origin })).toEqual({ code: 4401 })
    const { open } = await outcome(`${path}?session=s1`, { authorization: 'Bearer ada' })
    const closed = new Promise((resolve) => open?.on('close', resolve))
    server.engine.revoke({ userId: 'ada' })
    expect(await closed).toBe(4401)
  })

  test.each(['c'.repeat(6_000), 'a\0b', 'a\r\nb', ''])(
    'an upgrade with a malformed client id is closed with 4400 and leaves no stream [R10.5]',
    async (client) => {
      const ada = { authorization: 'Bearer ada' }
      const before = appOf(server).hub.size.streams
      expect(await outcome(`${path}?session=s1&client=${encodeURIComponent(client)}`, ada)).toEqual({ code: 4400 })
      expect(appOf(server).hub.size.streams).toBe(before)
    },
  )

  test('an upgrade of another path is left to other listeners, and answered with 404 if there is none', async () => {
    expect(await outcome('/elsewhere')).toEqual({ status: 404 })
    const other = vi.fn((_request, socket) => socket.end('HTTP/1.1 418 Teapot\r\n\r\n'))
    running.server.on('upgrade', other)
    expect(await outcome('/elsewhere')).toEqual({ status: 418 })
    expect(other).toHaveBeenCalledOnce()
  })

  test('[HP-FRM-3] a frame that this channel does not support is answered with an error, and one that is too large closes it', async () => {
    const { open } = await outcome(`${path}?session=s1`, { authorization: 'Bearer ada' })
    const heard = answers()
    open?.on('message', (data) => heard.take(String(data)))
    open?.send(JSON.stringify({ id: 'a', request: { method: 'GET', path: '/inbox' } }))
    expect(await heard.next()).toMatchObject({ id: 'a', status: 400 })
    open?.send(JSON.stringify({ id: 'b', message: { type: 'hello', clientId: 'c1' } }))
    expect(await heard.next()).toMatchObject({ id: 'b', status: 200 })
    open?.send('x'.repeat(2_000_000))
    expect(await new Promise((resolve) => open?.on('close', resolve))).toBe(1009)
  })

  test('detaching closes all sockets', async () => {
    const { open } = await outcome(`${path}?session=s1`, { authorization: 'Bearer ada' })
    const closed = new Promise((resolve) => open?.on('close', resolve))
    detach()
    expect(await closed).toBe(1001)
    await vi.waitFor(() => expect(appOf(server).hub.size.streams).toBe(0))
    expect(running.server.listenerCount('upgrade')).toBe(0)
  })
})
