import { createContext, runInContext } from 'node:vm'
import { english } from '@holdpoint/core/messages'
import type { Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { onTestFinished } from 'vitest'
import { engineOf } from '../../../src/http/mounted.ts'
import { pushSubscriptions } from '../../../src/surfaces/web-push/subscriptions.ts'
import { WORKER } from '../../../src/surfaces/web-push/worker.ts'
import { pushWorld } from '../../surfaces/support/push-world.ts'
import { asRead, type SurfaceKind, tab } from './surface.ts'

const BASE = 'http://localhost/holdpoint'

interface Shown {
  tag: string
  body: string
  data: { url: string; answer?: { answerId: string; shownDigest: string } }
}

/** Notifications of a browser: what counts as shown is their text, and a press runs the service worker's own code. */
export const notification = (holdpoint: Holdpoint): SurfaceKind => {
  const world = pushWorld().then((made) => {
    onTestFinished(async () => made.stop?.())
    addSurfaces(holdpoint, { pages: answerPage(holdpoint, { url: BASE }), surfaces: [made.push] })
    return made
  })
  return {
    showsDiffs: false,
    async open(userId) {
      const { service } = await world
      const asked = tab(holdpoint, userId)
      const worker = browserOf(holdpoint, userId)
      await pushSubscriptions(engineOf(holdpoint)).add({ tenant: '', userId }, service.subscribe(userId))
      let shown: Shown | undefined
      return {
        hidesDrafts: true,
        can: ({ edits, rejects, scope }) => !edits && !rejects && scope === 'once',
        async shows(not) {
          const request = await asked.shows(not)
          for (;;) {
            const pushed = service.pushed.find(
              (one) => one.browser === userId && one.notification.tag === `holdpoint-${request.interactionId}`,
            )
            if (pushed) {
              shown = await worker.push(pushed.notification)
              return asRead(request, {
                args: { amount: Number(/Amount: (-?\d+)/.exec(shown.body)?.[1]) },
                change: undefined,
              })
            }
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
        },
        async press(_shown, { shownDigest }) {
          const stale = { answerId: crypto.randomUUID(), shownDigest: shownDigest ?? '' }
          const data = shownDigest === undefined ? shown!.data : { ...shown!.data, answer: stale }
          return await worker.press({ ...shown!, data })
        },
        close: () => {},
      }
    },
  }
}

/** The service worker in a browser where this user is signed in. */
function browserOf(holdpoint: Holdpoint, userId: string) {
  const listeners = new Map<string, (event: object) => void>()
  let shown: Shown | undefined
  let page = ''
  const fetch = async (url: string, init: RequestInit) => {
    const headers = { authorization: `Bearer ${userId}`, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    const request = new Request(url.replace(BASE, 'http://localhost'), { ...init, headers, redirect: 'manual' })
    const response = await holdpoint.fetch(request)
    page = await response.text()
    const to = response.headers.get('location')
    return { ok: response.status < 400, redirected: to !== null, url: new URL(to ?? url, url).href }
  }
  const self = {
    location: new URL(`${BASE}/push/worker.js`),
    registration: {
      showNotification: (_title: string, options: Shown) => {
        shown = options
      },
    },
    clients: { matchAll: async () => [], openWindow: async () => null },
    addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
  }
  runInContext(WORKER, createContext({ self, fetch, URL, URLSearchParams }))
  const dispatch = async (type: string, event: object) => {
    let done: unknown
    const waitUntil = (work: unknown) => {
      done = work
    }
    listeners.get(type)?.({ ...event, waitUntil })
    await done
  }
  return {
    async push(notification: object): Promise<Shown> {
      await dispatch('push', { data: { json: () => notification } })
      return shown!
    },
    /** Presses "Approve" on the notification. */
    async press(notification: Shown): Promise<string> {
      page = ''
      await dispatch('notificationclick', { action: 'approve', notification: { ...notification, close() {} } })
      const { answer } = (await answerOf(holdpoint, notification, userId)) ?? {}
      if (answer?.action === 'approve') return 'accepted'
      return page.includes(english.shownDiffers) ? 'shown_differs' : `not accepted: ${page}`
    },
  }
}

const answerOf = (holdpoint: Holdpoint, { tag }: Shown, sessionId: string) =>
  holdpoint.interactions.get({ interactionId: tag.slice('holdpoint-'.length), sessionId })
