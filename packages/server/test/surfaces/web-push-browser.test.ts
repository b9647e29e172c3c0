import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../../scripts/chromium.ts'
import { SOURCE } from '../../../../scripts/published.ts'
import { pushWorld } from './support/push-world.ts'

/**
 * The hook, the routes and the service worker in Chromium, which delivers real push events. Two things are doubles, because
 * Chromium without a screen has neither: Google's push network, so the page gets its subscription from our push service,
 * and the notifications of the operating system.
 */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PAGE = `
import { usePushNotifications } from '@holdpoint/react/web-push'
import { createRoot } from 'react-dom/client'

function App() {
  const push = usePushNotifications({ url: '/holdpoint' })
  return <main>
    <p id="state">{push.state}</p>
    <p id="error">{push.error?.message}</p>
    <button onClick={push.enable}>Enable</button>
    <button onClick={push.disable}>Disable</button>
  </main>
}
createRoot(document.getElementById('root')).render(<App />)
`
/** The notifications of the system, in the worker: one with the tag of another replaces it. */
const NOTIFICATIONS = `
self.shown = []
self.opened = []
Object.assign(ServiceWorkerRegistration.prototype, {
  async showNotification(title, options) {
    self.shown = self.shown.filter(({ tag }) => tag !== options.tag)
    const own = { title, ...options, close: () => { self.shown = self.shown.filter((one) => one !== own) } }
    self.shown.push(own)
  },
})
self.clients.openWindow = async (url) => void self.opened.push(url)
self.clicked = (action) => {
  const event = new ExtendableEvent('notificationclick')
  self.dispatchEvent(Object.assign(event, { notification: self.shown[0], action }))
}
`
let browser: Browser
let script = ''

beforeAll(async () => {
  browser = await launchChromium()
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: ROOT, loader: 'tsx' },
    ...{ bundle: true, write: false, jsx: 'automatic', format: 'esm', conditions: [SOURCE] },
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  script = outputFiles[0]?.text ?? ''
}, 120_000)
afterAll(() => browser?.close())

/**
 * An app on a real port, and a browser whose subscriptions come from the double of the push service. With `login`, the app
 * itself responds to requests without a cookie: it redirects them, or serves a page in their place.
 */
async function app({ login }: { login?: 'redirect' | 'page' } = {}) {
  const world = await pushWorld()
  const holdpoint: Holdpoint = createHoldpoint({
    store: memoryStore(),
    name: crypto.randomUUID(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    authenticate(request) {
      const userId = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
      return userId ? { userId } : null
    },
  })
  const handler = toNodeHandler(holdpoint)
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/holdpoint/push/worker.js') {
      return void holdpoint
        .fetch(new Request(`http://127.0.0.1${path.slice('/holdpoint'.length)}`, { headers: { host: '127.0.0.1' } }))
        .then(async (reply) => {
          response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(NOTIFICATIONS + (await reply.text()))
        })
    }
    if (login && path.includes('/answer/') && !request.headers.cookie) {
      response.writeHead(login === 'page' ? 200 : 303, { 'content-type': 'text/html', location: '/login' })
      return void response.end(login === 'page' ? '<!doctype html>Log in' : '')
    }
    if (path.startsWith('/holdpoint/')) {
      request.url = path.slice('/holdpoint'.length)
      return void handler(request, response)
    }
    const isScript = path.startsWith('/page.js')
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(
      isScript ? script : '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pages = answerPage(holdpoint, { url: `${url}/holdpoint` })
  addSurfaces(holdpoint, { pages, surfaces: [world.push] })

  const context = await browser.newContext()
  await context.addCookies([{ name: 'user', value: 'ada', url }])
  await context.addInitScript(stubSubscriptions, world.service.subscribe('phone'))
  onTestFinished(async () => {
    await context.close()
    server.closeAllConnections()
    await holdpoint.close()
    await new Promise((resolve) => server.close(resolve))
    await world.stop?.()
  })
  const page = await context.newPage()
  await page.goto(url)
  const ask = (asked: object = {}) =>
    holdpoint
      .session('chat', { userId: 'ada' })
      .toolCall({ runId: 'r', toolCallId: crypto.randomUUID(), toolName: 'delete_files' })
      .tryApprove({ prompt: 'Delete 3 files?', risk: 'low', ...asked })
  return { ...world, holdpoint, context, page, url, ask, pushed: world.service.pushed }
}

/** Chromium without Google's keys has no push service: the page gets a subscription of the double. */
function stubSubscriptions(subscription: { endpoint: string; keys: object }): void {
  const kept = () => sessionStorage.getItem('subscribed')
  const permission = () => sessionStorage.getItem('permission') ?? 'default'
  Object.defineProperty(Notification, 'permission', { get: permission })
  Notification.requestPermission = async () => {
    if (permission() === 'default') sessionStorage.setItem('permission', 'granted')
    return permission() as NotificationPermission
  }
  const made = (key: ArrayBuffer) => ({
    ...{ endpoint: subscription.endpoint, options: { applicationServerKey: key } },
    toJSON: () => subscription,
    async unsubscribe() {
      sessionStorage.removeItem('subscribed')
      return true
    },
  })
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (kept() ? made(Uint8Array.from(JSON.parse(kept() ?? '[]')).buffer) : null),
    async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) {
      sessionStorage.setItem('subscribed', JSON.stringify([...applicationServerKey]))
      return made(applicationServerKey.buffer)
    },
  })
}

const stateIs = (page: Page, state: string) =>
  page.waitForFunction((wanted) => document.querySelector('#state')?.textContent === wanted, state)

async function enabled(page: Page): Promise<void> {
  await stateIs(page, 'off')
  await page.getByRole('button', { name: 'Enable' }).click()
  await stateIs(page, 'on')
}

async function until<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The worker of the page, and what Chromium and the user do with it. */
async function workerOf(context: BrowserContext, page: Page, origin: string) {
  const worker = await until(() => context.serviceWorkers()[0])
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.includes('/push/'))
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  interface Shown {
    title: string
    body: string
    tag: string
    silent: boolean
    actions: { action: string }[]
  }
  interface Scope {
    shown: Shown[]
    opened: string[]
    clicked(action: string): void
  }
  return {
    /** Notifications that are on the screen. */
    shown: () =>
      worker.evaluate(() =>
        (globalThis as unknown as Scope).shown.map(({ title, body, tag, silent, actions }) => {
          return { title, body, tag, silent, actions: actions.map(({ action }) => action) }
        }),
      ),
    /** Addresses that the worker opened. */
    opened: () => worker.evaluate(() => (globalThis as unknown as Scope).opened),
    /** Chromium gives the message of the push service to the worker. */
    deliver: (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }),
    /** The user clicks the notification, or one of its buttons. */
    click: (action = '') => worker.evaluate((one) => (globalThis as unknown as Scope).clicked(one), action),
  }
}

describe('a browser', () => {
  test('subscribes, shows the question, answers from the notification, and shows the outcome', async () => {
    const { page, context, url, ask, pushed } = await app()
    await enabled(page)
    const asking = ask()
    const first = await until(() => pushed[0])
    const { shown, deliver, click } = await workerOf(context, page, url)
    await deliver(JSON.stringify(first.notification))
    const [notification] = await until(async () => ((await shown()).length > 0 ? await shown() : undefined))
    expect(notification).toMatchObject({
      ...{ title: 'Approval needed: Delete files', body: 'Delete 3 files?', actions: ['approve', 'deny'] },
      ...{ silent: false, tag: expect.stringMatching(/^holdpoint-q/) },
    })
    // The same message once more replaces the notification.
    await deliver(JSON.stringify(first.notification))
    await click('approve')
    expect(await asking).toMatchObject({ outcome: 'approved' })
    const second = await until(() => pushed[1])
    expect(second.notification).toMatchObject({ title: 'You approved this', silent: true, tag: first.notification.tag })
    await deliver(JSON.stringify(second.notification))
    const [settled] = await until(async () => {
      const all = await shown()
      return all[0]?.title === 'You approved this' ? all : undefined
    })
    expect([await shown().then(({ length }) => length), settled?.actions]).toEqual([1, []])
  }, 60_000)

  test.each([
    ['Holdpoint refuses the answer', undefined],
    ['the app redirects the answer to its login [T31.5]', 'redirect'],
    ['a login page answers 200 in place of the server [T31.6]', 'page'],
  ] as const)(
    'opens the page if the login of the browser has ended and %s, and answers nothing',
    async (_why, login) => {
      const { page, context, url, ask, pushed, holdpoint } = await app(login && { login })
      await enabled(page)
      void ask().catch(() => {})
      const first = await until(() => pushed[0])
      const { deliver, click, shown, opened } = await workerOf(context, page, url)
      await deliver(JSON.stringify(first.notification))
      await until(async () => ((await shown()).length > 0 ? true : undefined))
      await context.clearCookies()
      await click('approve')
      const [address] = await until(async () => ((await opened()).length > 0 ? await opened() : undefined))
      const { interactions } = await holdpoint.interactions.list({ sessionId: 'chat', status: 'open' })
      expect(address).toBe(`${url}/holdpoint/sessions/chat/answer/${interactions[0]?.interactionId}`)
    },
    60_000,
  )

  test('opens the page when the user clicks the notification itself', async () => {
    const { page, context, url, ask, pushed, holdpoint } = await app()
    await enabled(page)
    void ask({ risk: 'high' }).catch(() => {})
    const first = await until(() => pushed[0])
    const { deliver, click, shown, opened } = await workerOf(context, page, url)
    await deliver(JSON.stringify(first.notification))
    const [notification] = await until(async () => ((await shown()).length > 0 ? await shown() : undefined))
    expect(notification?.actions).toEqual([])
    await click()
    await until(async () => ((await opened()).length > 0 ? true : undefined))
    expect(await shown()).toEqual([])
    expect((await holdpoint.interactions.list({ sessionId: 'chat', status: 'open' })).interactions).toHaveLength(1)
  }, 60_000)

  test('ends its subscription, and ignores messages that Holdpoint did not send', async () => {
    const { page, context, url, ask, pushed } = await app()
    await enabled(page)
    const { deliver, shown } = await workerOf(context, page, url)
    for (const data of ['', 'not json', '{}', '{"tag":"news","title":"x"}', '[]', 'null']) await deliver(data)
    await page.getByRole('button', { name: 'Disable' }).click()
    await stateIs(page, 'off')
    void ask().catch(() => {})
    await deliver(JSON.stringify({ tag: 'holdpoint-q', title: 'last', body: '', data: {} }))
    await until(async () => ((await shown()).some(({ title }) => title === 'last') ? true : undefined))
    expect((await shown()).map(({ title }) => title)).toEqual(['last'])
    expect(pushed).toEqual([])
  }, 60_000)

  test('subscribes the user who signed in last', async () => {
    const { page, context, url, ask, pushed, holdpoint } = await app()
    await enabled(page)
    await context.addCookies([{ name: 'user', value: 'bob', url }])
    await page.reload()
    await stateIs(page, 'on')
    void ask().catch(() => {})
    void holdpoint
      .session('bobs', { userId: 'bob' })
      .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'deploy' })
      .tryApprove({ prompt: 'Deploy?' })
      .catch(() => {})
    const first = await until(() => pushed[0])
    expect(first.notification.title).toBe('Approval needed: Deploy')
  }, 60_000)

  test('subscribes again when the server has other keys', async () => {
    const { page, service } = await app()
    await enabled(page)
    await page.evaluate(() => sessionStorage.setItem('subscribed', JSON.stringify(Array.from({ length: 65 }, () => 4))))
    await page.reload()
    await stateIs(page, 'on')
    const key = await page.evaluate(() => JSON.parse(sessionStorage.getItem('subscribed') ?? '[]') as number[])
    expect(Buffer.from(key).toString('base64url')).toBe(service.publicKey)
  }, 60_000)

  test('that blocks notifications is not asked', async () => {
    const { page } = await app()
    await page.evaluate(() => sessionStorage.setItem('permission', 'denied'))
    await page.reload()
    await stateIs(page, 'blocked')
  }, 60_000)
})
