import { english } from '@holdpoint/core/messages'
import type { Json } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { Surface } from '../surface.ts'
import { outcomeLine } from '../words.ts'
import { asking, settled } from './blocks.ts'
import { interactivityRoute } from './interactivity.ts'

/** The Slack client: a `WebClient` of `@slack/web-api`, created with `rejectRateLimitedCalls: true`. */
export interface SlackClient {
  apiCall(method: string, options?: Record<string, unknown>): Promise<object>
}

/** A user of Slack. */
export interface SlackUser {
  slackId: string
  teamId: string
}

/** Options of `slackSurface`. */
export interface SlackOptions {
  client: SlackClient
  /** The signing secret of the Slack app. */
  signingSecret: string
  /** Returns the Slack id of a user, or null if the user is not in Slack. */
  slackIdOf(user: { tenant: string; userId: string }): string | null | Promise<string | null>
  /** Returns the user who presses a button, or null, which is refused. */
  userOf(user: SlackUser): Principal | null | Promise<Principal | null>
  /** @default 'slack' */
  name?: string
  /**
   * Milliseconds since 1970, for the age of requests.
   *
   * @default Date.now
   */
  now?: () => number
}

type SlackRef = { channel: string; ts: string }

/**
 * Sends questions as direct messages of Slack. Approvals of a low risk are answered in the message, everything else on the
 * page. Set the Interactivity Request URL of the Slack app to `<mount point>/surfaces/slack`.
 *
 * @example
 * const surface = slackSurface({
 *   client: new WebClient(process.env.SLACK_TOKEN, { rejectRateLimitedCalls: true }),
 *   signingSecret: process.env.SLACK_SIGNING_SECRET,
 *   slackIdOf: ({ userId }) => slackIds.get(userId) ?? null,
 *   userOf: ({ slackId }) => usersBySlackId.get(slackId) ?? null,
 * })
 */
export function slackSurface(options: SlackOptions): Surface<SlackRef> {
  const { client, name = 'slack' } = options

  return {
    name,
    async present(interaction, recipient, links) {
      const channel = await options.slackIdOf({ tenant: recipient.tenant, userId: recipient.userId })
      if (channel === null) return null
      const earlier = recipient.previous as SlackRef | undefined
      const message = asking(interaction, await links.answer(), english)
      const metadata = { event_type: 'holdpoint_message', event_payload: { delivery_id: recipient.deliveryId } }
      const thread = earlier && { channel: earlier.channel, thread_ts: earlier.ts, reply_broadcast: true }
      const sent = await call<SlackRef>(client, 'chat.postMessage', {
        ...{ channel, ...message, metadata, unfurl_links: false, unfurl_media: false },
        ...thread,
      })
      return earlier ?? { channel: sent.channel, ts: sent.ts }
    },
    async update({ channel, ts }, interaction, recipient) {
      const outcome = outcomeLine(interaction, recipient)
      await call(client, 'chat.update', { channel, ts, ...settled(interaction, outcome, english) })
    },
    async find(_interaction: InteractionRecord, recipient) {
      const user = await options.slackIdOf({ tenant: recipient.tenant, userId: recipient.userId })
      if (user === null) return null
      if (recipient.reminder > 0) return (recipient.previous as SlackRef | undefined) ?? null
      const { channel } = await call<{ channel: { id: string } }>(client, 'conversations.open', { users: user })
      const { messages = [] } = await call<{ messages?: Sent[] }>(client, 'conversations.history', {
        ...{ channel: channel.id, limit: 100, include_all_metadata: true },
      })
      const found = messages.find(({ metadata }) => metadata?.event_payload?.delivery_id === recipient.deliveryId)
      return found ? { channel: channel.id, ts: found.ts } : null
    },
    routes: (holdpoint) => [interactivityRoute(holdpoint, options)],
  }
}

interface Sent {
  ts: string
  metadata?: { event_payload?: { delivery_id?: Json } }
}

/** Slack names seconds; deliveries wait milliseconds. */
async function call<T>(client: SlackClient, method: string, options: Record<string, unknown>): Promise<T> {
  try {
    return (await client.apiCall(method, options)) as T
  } catch (error) {
    const { retryAfter } = (error ?? {}) as { retryAfter?: unknown }
    if (typeof retryAfter !== 'number') throw error
    throw Object.assign(new Error(`Slack asks to wait before ${method}.`, { cause: error }), {
      retryAfterMs: retryAfter * 1_000,
    })
  }
}
