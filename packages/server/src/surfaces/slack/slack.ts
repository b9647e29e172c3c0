import type { Json } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { messageLanguage } from '../message-language.ts'
import type { Recipient, Surface } from '../surface.ts'
import { outcomeLine } from '../words.ts'
import { call, type SlackClient } from './call.ts'
import { interactivityRoute } from './interactivity.ts'
import { addressIn } from './slack-user.ts'
import { questionMessage, settledMessage } from './views/blocks.ts'

/** The address of a user in Slack. */
export interface SlackAddress {
  /** The id of the user in Slack. */
  slackId: string
  /**
   * A language tag, for example the `locale` that `users.info` returns. A language without texts is written in English.
   *
   * @default 'en'
   */
  language?: string
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
  /** Returns the Slack address of a user, or only the Slack id, or null if the user is not in Slack. */
  addressOf(user: {
    tenant: string
    userId: string
  }): SlackAddress | string | null | Promise<SlackAddress | string | null>
  /** Returns the user who pressed a button or submitted a form. Return null to refuse it. */
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
 * Sends questions as direct messages of Slack. Low-risk approvals are answered in the message, forms in a modal, and
 * everything else on the page. Set the Interactivity Request URL of the Slack app to `<mount point>/surfaces/slack`.
 *
 * @example
 * const surface = slackSurface({
 *   client: new WebClient(process.env.SLACK_TOKEN!, { rejectRateLimitedCalls: true }),
 *   signingSecret: process.env.SLACK_SIGNING_SECRET!,
 *   addressOf: ({ userId }) => slackUsers.get(userId) ?? null, // { slackId: 'U123', language: 'de' }
 *   userOf: ({ slackId }) => usersBySlackId.get(slackId) ?? null,
 * })
 */
export function slackSurface(options: SlackOptions): Surface<SlackRef> {
  const { client, name = 'slack' } = options

  return {
    name,
    async present(interaction, recipient, links) {
      const address = await addressIn(options, recipient)
      if (!address) return null
      const { slackId: channel, language } = address
      const earlier = recipient.previous as SlackRef | undefined
      const message = questionMessage(
        interaction,
        await links.answer(),
        messageLanguage(language),
        recipient.reminder > 0,
      )
      const metadata = { event_type: 'holdpoint_message', event_payload: { delivery_id: recipient.deliveryId } }
      const thread = earlier && { channel: earlier.channel, thread_ts: earlier.ts, reply_broadcast: true }
      const sent = await call<SlackRef>(client, 'chat.postMessage', {
        ...{ channel, ...message, metadata, unfurl_links: false, unfurl_media: false },
        ...thread,
      })
      return earlier ?? { channel: sent.channel, ts: sent.ts }
    },
    async update({ channel, ts }, interaction, recipient) {
      const language = messageLanguage((await addressIn(options, recipient))?.language)
      const outcome = outcomeLine(interaction, recipient, language.messages)
      await call(client, 'chat.update', { channel, ts, ...settledMessage(interaction, outcome, language) })
    },
    async find(_interaction: InteractionRecord, recipient) {
      const address = await addressIn(options, recipient)
      if (!address) return null
      const earlier = recipient.previous as SlackRef | undefined
      if (earlier) {
        const replies = { channel: earlier.channel, ts: earlier.ts, limit: 100, include_all_metadata: true }
        const { messages } = await call<Messages>(client, 'conversations.replies', replies)
        return sentIn(messages, recipient) ? earlier : null
      }
      const { channel } = await call<{ channel: { id: string } }>(client, 'conversations.open', {
        users: address.slackId,
      })
      const { messages } = await call<Messages>(client, 'conversations.history', {
        ...{ channel: channel.id, limit: 100, include_all_metadata: true },
      })
      const found = sentIn(messages, recipient)
      return found ? { channel: channel.id, ts: found.ts } : null
    },
    routes: (holdpoint) => [interactivityRoute(holdpoint, options)],
  }
}

interface Messages {
  messages?: Sent[]
}

const sentIn = (messages: readonly Sent[] = [], { deliveryId }: Recipient) =>
  messages.find(({ metadata }) => metadata?.event_payload?.delivery_id === deliveryId)

interface Sent {
  ts: string
  metadata?: { event_payload?: { delivery_id?: Json } }
}
