import { createECDH } from 'node:crypto'
import type { SeenMessage, SurfaceWorld } from '@holdpoint/conformance/surface'
import type { Surface } from '@holdpoint/server/surfaces'
import { type VapidKeys, webPushSurface } from '@holdpoint/server/web-push'
import { engineOf } from '../../../src/http/mounted.ts'
import { pushSubscriptions } from '../../../src/surfaces/web-push/subscriptions.ts'
import { type Pushed, pushService } from './push-service.ts'

/** A key pair in the form in which `web-push generate-vapid-keys` prints it. */
export function vapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Node leaves out leading zero bytes: one key in 256 is shorter than 32 bytes.
  const secret = pair.getPrivateKey()
  const privateKey = Buffer.concat([Buffer.alloc(32 - secret.length), secret]).toString('base64url')
  return { publicKey, privateKey, subject: 'mailto:ops@example.com' }
}

/** The push surface with a push service on TLS, and one browser for each user of the suite. */
export async function pushWorld(options: Partial<Parameters<typeof webPushSurface>[0]> = {}) {
  const service = await pushService()
  const vapid = vapidKeys()
  service.publicKey = vapid.publicKey
  const push = webPushSurface({ vapid, allowLoopback: true, ...options })
  let subscribed: Promise<unknown> = Promise.resolve()
  const surface: Surface = {
    ...(push as Surface),
    routes(holdpoint) {
      const { add } = pushSubscriptions(engineOf(holdpoint))
      const users = ['ada', 'bob'].map((userId) => add({ tenant: '', userId }, service.subscribe(userId)))
      subscribed = Promise.all(users)
      return push.routes?.(holdpoint) ?? []
    },
    async present(interaction, recipient, links) {
      await subscribed
      return await push.present(interaction, recipient, links)
    },
  }
  const world: SurfaceWorld = {
    surface,
    messages: () => shownIn(service.pushed),
    provider: {
      down() {
        service.isDown = true
      },
      up() {
        service.isDown = false
      },
      limitOnce(seconds) {
        service.limit = seconds
      },
      calls: () => service.calls,
    },
    stop: () => service.close(),
  }
  return { ...world, service, vapid, push }
}

/** The notifications of browsers: plain text, one for each tag. One that replaces another makes no sound by itself. */
function shownIn(pushed: readonly Pushed[]): SeenMessage[] {
  const shown = new Map<string, SeenMessage>()
  for (const { browser, notification } of pushed) {
    const id = `${browser} ${notification.tag}`
    const text = `${notification.title}\n${notification.body}`.replace(/[<>]/g, (one) => (one === '<' ? '‹' : '›'))
    const earlier = shown.get(id)
    if (!earlier) shown.set(id, { userId: browser, sends: 1, reminders: 0, text })
    else if (notification.renotify === true) earlier.reminders++
    if (earlier && notification.silent === true) earlier.outcome = notification.title
  }
  return [...shown.values()]
}
