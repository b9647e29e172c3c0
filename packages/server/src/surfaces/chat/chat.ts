import type { Principal } from '../../base/principal.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { messageLanguage } from '../message-language.ts'
import type { Surface } from '../surface.ts'
import { outcomeLine } from '../words.ts'
import { APPROVE, type ChatCard, DENY, questionMessage, reminderMessage, settledMessage } from './card.ts'
import { type ChatPress, press } from './press.ts'
import { isUnreachable, withRetryTime } from './problems.ts'

/** The parts of a Chat SDK adapter that this surface uses. */
interface Adapter {
  openDM?(userId: string): Promise<string>
  postMessage(threadId: string, message: ChatCard): Promise<{ id: string; threadId?: string }>
  editMessage(threadId: string, messageId: string, message: ChatCard): Promise<unknown>
}

/** A `Chat` of the Chat SDK, with an adapter for each platform. */
export interface ChatBot {
  initialize(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: the Chat SDK types adapters by their names
  getAdapter(name: any): any
  onAction(ids: string[], handler: (event: ChatPress) => Promise<void>): void
}

/** The address of a user for chat messages. */
export interface ChatAddress {
  /** The name of the adapter: `slack`, `teams`, `discord`, `telegram`, `whatsapp`. */
  platform: string
  /** The id of the user on the platform. */
  userId: string
  /**
   * A language tag. A language without texts is written in English.
   *
   * @default 'en'
   */
  language?: string
}

/** A user of a platform who pressed a button. */
export interface ChatSender {
  platform: string
  userId: string
}

/** Options of `chatSurface`. */
export interface ChatOptions {
  /** `new Chat({ adapters, state, userName })`. */
  chat: ChatBot
  /** Returns the chat address of a user, or null if the user has none. */
  addressOf(user: { tenant: string; userId: string }): ChatAddress | null | Promise<ChatAddress | null>
  /** Returns the user who pressed a button. Return null to refuse the press. */
  userOf(sender: ChatSender): Principal | null | Promise<Principal | null>
  /** @default 'chat' */
  name?: string
}

type ChatRef = { platform: string; thread: string; message: string }

/**
 * Sends questions as direct messages through the Chat SDK: Slack, Teams, Discord, Telegram, WhatsApp. Low-risk
 * approvals are answered in the message, everything else on the page. The webhook routes of the Chat SDK, which verify
 * the platform, do not change.
 *
 * @example
 * const chat = new Chat({ userName: 'acme', adapters: { telegram: createTelegramAdapter() }, state: createRedisState() })
 * const surface = chatSurface({
 *   chat,
 *   addressOf: ({ userId }) => telegramIds.get(userId) ?? null, // { platform: 'telegram', userId: '12345' }
 *   userOf: ({ userId }) => usersByTelegramId.get(userId) ?? null,
 * })
 */
export function chatSurface(options: ChatOptions): Surface<ChatRef> {
  const { chat, name = 'chat' } = options
  let holdpoint: Holdpoint | undefined
  chat.onAction([APPROVE, DENY], async (event) => {
    if (holdpoint) await press(holdpoint, (sender) => options.userOf(sender), event)
  })

  async function adapterOf(platform: string): Promise<Adapter> {
    await chat.initialize()
    const adapter = chat.getAdapter(platform) as Adapter | undefined
    if (adapter) return adapter
    throw new Error(`The Chat SDK has no adapter "${platform}". Pass it to "new Chat({ adapters })".`)
  }

  return {
    name,
    async present(interaction, recipient, links) {
      const address = await options.addressOf({ tenant: recipient.tenant, userId: recipient.userId })
      if (!address) return null
      const { platform, userId } = address
      const language = messageLanguage(address.language)
      const adapter = await adapterOf(platform)
      const earlier = recipient.previous as ChatRef | undefined
      try {
        const thread = earlier?.thread ?? (await adapter.openDM?.(userId))
        if (thread === undefined) throw new Error(`The adapter "${platform}" of the Chat SDK has no direct messages.`)
        const write = earlier ? reminderMessage : questionMessage
        const sent = await adapter.postMessage(thread, write(interaction, await links.answer(), language))
        return earlier ?? { platform, thread: sent.threadId ?? thread, message: sent.id }
      } catch (error) {
        if (isUnreachable(error)) return earlier ?? null
        throw withRetryTime(error)
      }
    },
    async update({ platform, thread, message }, interaction, recipient) {
      const adapter = await adapterOf(platform)
      const address = await options.addressOf({ tenant: recipient.tenant, userId: recipient.userId })
      const language = messageLanguage(address?.language)
      const outcome = outcomeLine(interaction, recipient, language.messages)
      try {
        await adapter.editMessage(thread, message, settledMessage(interaction, outcome, language))
      } catch (error) {
        // If the user removed the chat or the message, there is no message left to update.
        if (!isUnreachable(error)) throw withRetryTime(error)
      }
    },
    routes(added) {
      holdpoint = added
      return []
    },
  }
}
