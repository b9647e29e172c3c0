import { HoldpointError } from '@holdpoint/core'
import { languageOf } from '../../answer-page/markup/language.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { engineOf } from '../../http/mounted.ts'
import { hashOf } from '../../security/hashes.ts'
import { createGuardedFetch, type GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import type { Recipient, Surface } from '../surface.ts'
import { askingNotification, type PushNotification, settledNotification, tagOf } from './notification.ts'
import { pushRoutes } from './routes.ts'
import { sendPush, topicOf } from './send-push.ts'
import { pushSubscriptions, type Subscription, type Subscriptions } from './subscriptions.ts'
import { createVapid, type VapidKeys } from './vapid.ts'

/** Options of `webPushSurface`. */
export interface WebPushOptions {
  /** The keys of your server, from `npx web-push generate-vapid-keys`. If they change, subscriptions become invalid. */
  vapid: VapidKeys
  /**
   * Calls the push services. Their addresses come from browsers, so private networks and redirects are rejected.
   *
   * @default createGuardedFetch()
   */
  fetch?: GuardedFetch
  /**
   * For development: allows a push service on this machine.
   *
   * @default false
   */
  allowLoopback?: boolean
  /** @default 'web-push' */
  name?: string
}

type PushRef = { tag: string; url: string }

const OUTCOME_MS = 24 * 60 * 60_000

/**
 * Sends questions as push notifications to the browsers that the users subscribed with `usePushNotifications` of
 * `@holdpoint/react/web-push`. A click opens the page of the question. Low-risk approvals that fit into the
 * notification have buttons.
 *
 * @example
 * const push = webPushSurface({ vapid: { publicKey, privateKey, subject: 'mailto:ops@example.com' } })
 * addSurfaces(holdpoint, { pages, surfaces: [push] })
 */
export function webPushSurface(options: WebPushOptions): Surface<PushRef> {
  const { allowLoopback = false, name = 'web-push' } = options
  const vapid = createVapid(options.vapid)
  const fetch = options.fetch ?? createGuardedFetch({ allowLoopback })
  let added: { subscriptions: Subscriptions; randomBytes(length: number): Uint8Array } | undefined
  const here = () => added ?? notAdded()

  /** Sends a notification to the user's browsers. Returns false if none of them can receive it. */
  async function send(
    recipient: Recipient,
    interaction: InteractionRecord,
    expiresAt: number,
    write: (subscription: Subscription) => PushNotification | Promise<PushNotification>,
  ): Promise<boolean> {
    const { subscriptions, randomBytes } = here()
    const context = { vapid, fetch, randomBytes, now: Date.now }
    const topic = topicOf(await hashOf(`${recipient.tenant}/${interaction.interactionId}`))
    const browsers = await subscriptions.list(recipient)
    const results = await Promise.allSettled(
      browsers.map(async (browser) => sendPush(context, browser, await write(browser), { topic, expiresAt })),
    )
    let sent = false
    let failure: unknown
    for (const [index, result] of results.entries()) {
      const browser = browsers[index] as Subscription
      if (result.status === 'rejected') failure = result.reason
      else if (result.value === 'sent') sent = true
      else await subscriptions.remove(recipient, browser.endpoint)
    }
    // Success in one browser is enough, because a retry would show the notification again in the others.
    if (!sent && failure) throw failure
    return sent
  }
  const languageFor = ({ language }: Subscription) => languageOf(language ?? null)

  return {
    name,
    async present(interaction, recipient, links) {
      const sent = await send(recipient, interaction, interaction.expiresAt.getTime(), (browser) =>
        askingNotification(interaction, recipient, links.page, languageFor(browser)),
      )
      return sent ? { tag: tagOf(interaction), url: links.page } : null
    },
    async update({ url }, interaction, recipient) {
      await send(recipient, interaction, Date.now() + OUTCOME_MS, (browser) =>
        settledNotification(interaction, recipient, url, languageFor(browser)),
      )
    },
    routes(holdpoint) {
      const engine = engineOf(holdpoint)
      const randomBytes = (length: number) => engine.environment.randomBytes(length)
      added = { subscriptions: pushSubscriptions(engine), randomBytes }
      return pushRoutes(vapid.publicKey, () => here().subscriptions, allowLoopback)
    },
  }
}

function notAdded(): never {
  throw new HoldpointError('invalid_options', 'webPushSurface: the surface was not passed to addSurfaces.')
}
