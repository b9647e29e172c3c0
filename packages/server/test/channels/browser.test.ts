import type { Socket } from 'node:net'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { toExpressHandler } from '@holdpoint/server/express'
import { memoryStore } from '@holdpoint/server/memory'
import { attachWebSocket } from '@holdpoint/server/ws'
import compression from 'compression'
import express from 'express'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import { appOf, engineOf } from '../../src/http/mounted.ts'
import { listen, type Running } from '../http/support/servers.ts'

/** Behavior that only a browser has by itself: its EventSource, its cookies, its Origin. */
let browser: Browser
let page: Page
let holdpoint: Holdpoint
let running: Running
let evil: Running
const sockets = new Set<Socket>()

beforeAll(async () => {
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser?.close())

beforeEach(async () => {
  holdpoint = createHoldpoint({
    store: memoryStore(),
    authenticate(request) {
      const user = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
      return user ? { userId: user } : null
    },
    http: { retryMs: 50 },
  })
  const app = express()
  app.use(compression({ threshold: 0 }), express.json())
  app.get('/', (_request, response) => {
    response.setHeader('set-cookie', 'user=ada; Path=/; SameSite=None; Secure; HttpOnly')
    response.type('html').send('<!doctype html><title>app</title>')
  })
  app.use('/holdpoint', toExpressHandler(holdpoint))
  running = await listen(app)
  running.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  attachWebSocket(running.server, holdpoint, { path: '/holdpoint/ws' })
  evil = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>')
  })
  page = await browser.newPage()
  await page.goto(origin())
})
afterEach(async () => {
  await page.close()
  await holdpoint.close()
  await running.stop()
  await evil.stop()
})

const origin = () => new URL(running.url).origin.replace('127.0.0.1', 'localhost')
const emit = async (...texts: string[]) => {
  for (const text of texts) await holdpoint.session('s1', { userId: 'ada' }).emit({ type: 'content', text })
}
/** Returns what the page has received so far. */
const collected = () => page.evaluate(() => (globalThis as unknown as { got: string[] }).got)
const openEventSource = (query = '') =>
  page.evaluate((search) => {
    const here = globalThis as unknown as { got: string[]; source: EventSource; places: string[] }
    here.got = []
    here.places = []
    here.source = new EventSource(`/holdpoint/sessions/s1/events${search}`)
    here.source.onmessage = ({ data, lastEventId }) => {
      here.got.push(JSON.parse(data).text)
      here.places.push(lastEventId)
    }
    here.source.addEventListener('reset', ({ data }) => {
      here.got.push(`reset ${JSON.parse(data).reason}`)
      here.source.close()
    })
  }, query)

describe('the browser’s own EventSource', () => {
  test('receives events, and reconnects by itself at its cursor, without gaps or repeats', async () => {
    await emit('t1', 't2')
    await openEventSource()
    await expect.poll(collected).toEqual(['t1', 't2'])
    for (let round = 0; round < 3; round++) {
      for (const socket of sockets) socket.destroy()
      await emit(`away ${round}`)
      await expect.poll(async () => (await collected()).at(-1)).toBe(`away ${round}`)
      await emit(`back ${round}`)
      await expect.poll(async () => (await collected()).at(-1)).toBe(`back ${round}`)
    }
    expect(await collected()).toEqual(['t1', 't2', 'away 0', 'back 0', 'away 1', 'back 1', 'away 2', 'back 2'])
  })

  test('receives a reset and can be closed', async () => {
    await emit('t1')
    await openEventSource('?cursor=old.7.abc')
    await expect.poll(collected).toEqual(['reset epoch'])
  })
})

describe('threats 7 and 8 in a real browser: a page elsewhere, with the person’s cookies', () => {
  const attack = async () => {
    // localhost and 127.0.0.1 are different sites to a browser.
    await page.goto(new URL(evil.url).origin)
    return page.evaluate(async (target) => {
      const url = `${target}/holdpoint/sessions/s1/messages`
      const body = JSON.stringify({ type: 'set_interaction_mode', clientId: 'evil', enabled: false })
      const outcome = (promise: Promise<Response>) => promise.then(({ status }) => status).catch(() => 'blocked')
      const simple = { method: 'POST', credentials: 'include', body } as const
      const socket = new Promise((resolve) => {
        const webSocket = new WebSocket(`${target.replace('http', 'ws')}/holdpoint/ws?session=s1`)
        webSocket.onopen = () => resolve('open')
        webSocket.onclose = () => resolve('closed')
      })
      return {
        text: await outcome(fetch(url, { ...simple, headers: { 'content-type': 'text/plain' } })),
        opaque: await outcome(fetch(url, { ...simple, mode: 'no-cors', headers: { 'content-type': 'text/plain' } })),
        json: await outcome(fetch(url, { ...simple, headers: { 'content-type': 'application/json' } })),
        read: await outcome(fetch(`${target}/holdpoint/sessions/s1`, { credentials: 'include' })),
        socket: await socket,
      }
    }, origin())
  }

  test('threat 7: the page posts nothing and reads nothing; threat 8: it opens no socket [T7.2] [T8.2]', async () => {
    await emit('t1')
    const touched: string[] = []
    const { touch } = engineOf(holdpoint).presence
    engineOf(holdpoint).presence.touch = (session, client) => {
      touched.push(client.clientId)
      return touch(session, client)
    }
    expect(await attack()).toEqual({
      text: 'blocked',
      opaque: 'blocked',
      json: 'blocked',
      read: 'blocked',
      socket: 'closed',
    })
    expect(touched).toEqual([])
    expect(appOf(holdpoint).hub.size.streams).toBe(0)
    // The same from the app's own page works: it was the origin that was refused.
    await page.goto(origin())
    const own = await page.evaluate(async () => {
      const body = JSON.stringify({ type: 'set_interaction_mode', clientId: 'own', enabled: true })
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/holdpoint/sessions/s1/messages', { method: 'POST', body, headers })).status
    })
    expect([own, touched]).toEqual([200, ['own']])
  })
})
