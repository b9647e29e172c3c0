import { createTelegramAdapter } from '@chat-adapter/telegram'
import { createMockState } from '@chat-adapter/tests'
import type { Press, SeenMessage, SurfaceWorld } from '@holdpoint/conformance/surface'
import { chatSurface } from '@holdpoint/server/chat'
import type { Surface } from '@holdpoint/server/surfaces'
import { type Adapter, Chat } from 'chat'
import type { Route } from '../../../src/http/routing/route.ts'
import { apiDouble } from './api-double.ts'

const SECRET = 'telegram-secret'
const users = ['ada', 'bob', 'eve', 'stranger']
const idOf = (user: string) => 1_000 + users.indexOf(user)

interface Button {
  text: string
  callback_data?: string
  url?: string
}
export interface TelegramMessage {
  chat: number
  message_id: number
  text: string
  parse_mode?: string
  buttons: Button[]
}

/** The chat surface with the Chat SDK and its Telegram adapter, and a double of Telegram's HTTP API. */
export async function telegramWorld(options: Partial<Parameters<typeof chatSurface>[0]> = {}) {
  const posts: TelegramMessage[] = []
  let updates = 0
  const blocked = new Set<number>()
  const buttonsOf = (body: Record<string, unknown>) =>
    ((body.reply_markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard ?? []).flat()
  const answers: Record<string, (body: Record<string, unknown>) => object | boolean> = {
    getMe: () => ({ id: 1, is_bot: true, first_name: 'Acme', username: 'acme_bot' }),
    getWebhookInfo: () => ({ url: 'https://app.example.com/telegram', pending_update_count: 0 }),
    answerCallbackQuery: () => true,
    sendMessage(body) {
      const chat = Number(body.chat_id)
      const message = { chat, message_id: posts.length + 1, text: String(body.text), buttons: buttonsOf(body) }
      posts.push({ ...message, ...(typeof body.parse_mode === 'string' && { parse_mode: body.parse_mode }) })
      return {
        ...message,
        date: 0,
        chat: { id: chat, type: 'private' },
        from: { id: 1, is_bot: true, first_name: 'A' },
      }
    },
    editMessageText(body) {
      const found = posts.find(({ message_id }) => message_id === Number(body.message_id))!
      Object.assign(found, { text: String(body.text), buttons: buttonsOf(body) })
      return { message_id: found.message_id, date: 0, chat: { id: found.chat, type: 'private' }, text: found.text }
    },
  }
  const failed = (status: number, description: string, more = {}) => ({
    status,
    body: { ok: false, error_code: status, description, ...more },
  })
  const api = await apiDouble({
    isSending: (method) => method === 'sendMessage' || method === 'editMessageText',
    down: failed(503, 'down'),
    limited: (seconds) => failed(429, 'slow down', { parameters: { retry_after: seconds } }),
    answer(method, text) {
      const body = JSON.parse(text || '{}') as Record<string, unknown>
      if (blocked.has(Number(body.chat_id))) return failed(403, 'Forbidden: bot was blocked by the user')
      const result = answers[method]?.(body)
      return result ? { status: 200, body: { ok: true, result } } : failed(404, method)
    },
  })
  const adapter = createTelegramAdapter({
    ...{ botToken: '1:test', secretToken: SECRET, apiUrl: api.url, mode: 'webhook' },
    logger: silent(),
  })
  // The types of the Chat SDK do not fit under exactOptionalPropertyTypes.
  const chat = new Chat({
    userName: 'acme',
    adapters: { telegram: adapter as unknown as Adapter },
    state: createMockState(),
    logger: silent(),
  })
  const own = chatSurface({
    chat,
    addressOf: ({ userId }) => ({ platform: 'telegram', userId: String(idOf(userId)) }),
    userOf({ userId }) {
      const user = users[Number(userId) - 1_000]
      return user === undefined || user === 'stranger' ? null : { userId: user }
    },
    ...options,
  })
  const surface: Surface = {
    ...(own as Surface),
    routes: (holdpoint) => [...(own.routes?.(holdpoint) ?? []), webhook()],
  }

  /** The route of the Chat SDK, as an application has it. Telegram is answered when the press was handled. */
  function webhook(): Route {
    return {
      ...{ method: 'POST', path: '/telegram', public: true, withoutOrigin: true },
      async handle({ incoming, body }) {
        const working: Promise<unknown>[] = []
        const request = new Request('https://app.example.com/telegram', {
          ...{ method: 'POST', body: await body(100_000), headers: incoming.toRequest().headers },
        } as RequestInit)
        const reply = await chat.webhooks.telegram(request, { waitUntil: (task) => void working.push(task) })
        await Promise.allSettled(working)
        return { kind: 'answer', status: reply.status, body: await reply.text(), headers: {} }
      },
    }
  }
  const update = ({ messageOf, by, action }: Press, secret: string | null = SECRET) => {
    const post = posts.find(({ chat: id, buttons }) => id === idOf(messageOf) && buttons.length > 1)
    const button = post?.buttons.find(({ text }) => text.toLowerCase() === action)
    const from = { id: idOf(by), is_bot: false, first_name: by }
    const message = { message_id: post?.message_id, date: 0, chat: { id: post?.chat ?? 0, type: 'private' } }
    const query = { id: `press-${++updates}`, from, message, data: button?.callback_data, chat_instance: '1' }
    return new Request('https://app.example.com/telegram', {
      method: 'POST',
      body: JSON.stringify({ update_id: updates, callback_query: query }),
      headers: {
        ...{ host: 'app.example.com', 'content-type': 'application/json' },
        ...(secret !== null && { 'x-telegram-bot-api-secret-token': secret }),
      },
    })
  }
  const world: SurfaceWorld = {
    surface,
    messages: () => seen(posts),
    provider: api.provider,
    press: (press) => update(press),
    forged: (press) => ({
      'without the secret': update(press, null),
      'with an empty secret': update(press, ''),
      'with another secret': update(press, 'another-secret'),
      'with a part of the secret': update(press, SECRET.slice(0, -1)),
    }),
    stop: api.stop,
  }
  return { ...world, posts, own, block: (user: string) => void blocked.add(idOf(user)) }
}

function silent() {
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger }
  return logger
}

/** The text that Telegram shows: MarkdownV2 with its escapes resolved. A reminder follows the message that it is about. */
function seen(posts: readonly TelegramMessage[]): SeenMessage[] {
  const shown = new Map<number, SeenMessage>()
  for (const { chat, message_id, text, buttons } of posts) {
    const read = text.replace(/\\([_*[\]()~`>#+\-=|{}.!\\])/g, '$1')
    const first = [...shown.values()].find(({ userId }) => idOf(userId) === chat)
    if (/Reminder/.test(text) && first) first.reminders++
    else {
      const message = { userId: users[chat - 1_000] ?? '', sends: 1, reminders: 0, text: read }
      shown.set(message_id, { ...message, ...(buttons.length === 0 && { outcome: read.split('\n')[0] ?? '' }) })
    }
  }
  return [...shown.values()]
}
