import { createHmac } from 'node:crypto'
import type { Press, SeenMessage, SurfaceWorld } from '@holdpoint/conformance/surface'
import { slackSurface } from '@holdpoint/server/slack'
import { WebClient } from '@slack/web-api'
import { apiDouble } from './api-double.ts'
import { problemOf, slackForms } from './slack-modal.ts'

export const SECRET = 'slack-signing-secret'
export const ROUTE = 'https://app.example.com/surfaces/slack'

interface Block {
  type: string
  text?: { type: string; text: string }
  elements?: { action_id: string; value?: string; url?: string }[]
}
interface Posted {
  channel: string
  ts: string
  thread?: string
  text: string
  blocks: Block[]
  metadata?: unknown
}

/** Signs a body as Slack does. */
export function signed(body: string, atMs: number, secret = SECRET): Request {
  const timestamp = String(Math.floor(atMs / 1_000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  return new Request(ROUTE, {
    method: 'POST',
    body,
    headers: {
      ...{ host: 'app.example.com', 'content-type': 'application/x-www-form-urlencoded' },
      ...{ 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature },
    },
  })
}

/** The Slack surface with the client of Slack, and a double of Slack's HTTP API. */
export async function slackWorld({ now, language = 'en' }: { now: () => number; language?: string }) {
  const posts: Posted[] = []
  const whispers: { user: string; text: string }[] = []
  let presses = 0
  const answers: Record<string, (form: URLSearchParams) => object> = {
    'chat.postMessage'(form) {
      const channel = form.get('channel')!.replace(/^U/, 'D')
      const ts = `1.${String(posts.length + 1).padStart(4, '0')}`
      const thread = form.get('thread_ts')
      const blocks = JSON.parse(form.get('blocks') ?? '[]')
      const metadata = JSON.parse(form.get('metadata') ?? 'null')
      posts.push({ channel, ts, text: form.get('text') ?? '', blocks, metadata, ...(thread && { thread }) })
      return { channel, ts }
    },
    'chat.update'(form) {
      const post = posts.find(({ ts }) => ts === form.get('ts'))!
      Object.assign(post, { text: form.get('text'), blocks: JSON.parse(form.get('blocks') ?? '[]') })
      return {}
    },
    'chat.postEphemeral'(form) {
      whispers.push({ user: form.get('user')!, text: form.get('text')! })
      return {}
    },
    'views.open'(form) {
      const view = JSON.parse(form.get('view') ?? '{}')
      if (!form.get('trigger_id') || problemOf(view)) return { ok: false, error: 'invalid_arguments' }
      forms.show(view)
      return { view: { id: 'V1' } }
    },
    'conversations.open': (form) => ({ channel: { id: form.get('users')!.replace(/^U/, 'D') } }),
    'conversations.replies'(form) {
      const ts = form.get('ts')
      return { messages: posts.filter((post) => post.ts === ts || post.thread === ts) }
    },
    'conversations.history': (form) => ({ messages: posts.filter(({ channel }) => channel === form.get('channel')) }),
  }
  const api = await apiDouble({
    isSending: () => true,
    down: { status: 503 },
    limited: (seconds) => ({ status: 429, headers: { 'retry-after': String(seconds) } }),
    answer(method, text) {
      const result = answers[method]?.(new URLSearchParams(text))
      return { status: 200, body: result ? { ok: true, ...result } : { ok: false, error: 'unknown_method' } }
    },
  })
  const client = new WebClient('xoxb-test', {
    slackApiUrl: `${api.url}/api/`,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    logger: {
      debug() {},
      info() {},
      warn() {},
      error() {},
      setLevel() {},
      setName() {},
      getLevel: () => 'error' as never,
    },
  })
  const surface = slackSurface({
    client,
    signingSecret: SECRET,
    now,
    addressOf: ({ userId }) => ({ slackId: `U${userId}`, language }),
    userOf: ({ slackId }) => (slackId === 'Ustranger' ? null : { userId: slackId.slice(1) }),
  })
  const signedPayload = (payload: object, secret?: string) =>
    signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), now(), secret)
  const buttonOf = (userId: string, actionId: string) => {
    const post = posts.find(({ channel, thread }) => channel === `D${userId}` && !thread)
    const buttons = post?.blocks.flatMap(({ elements = [] }) => elements) ?? []
    return { post, button: buttons.find(({ action_id }) => action_id === actionId) }
  }
  const pressOf = (messageOf: string, by: string, actionId: string) => {
    const { post, button } = buttonOf(messageOf, actionId)
    return {
      ...{ type: 'block_actions', user: { id: `U${by}`, team_id: 'T1' }, container: { channel_id: post?.channel } },
      trigger_id: `${++presses}.trigger`,
      actions: [{ action_id: actionId, value: button?.value, action_ts: `9.${presses}` }],
    }
  }
  const forms = slackForms(signedPayload, (messageOf, by) => signedPayload(pressOf(messageOf, by, 'holdpoint.form')))
  const bodyOf = ({ messageOf, by, action }: Press) =>
    new URLSearchParams({ payload: JSON.stringify(pressOf(messageOf, by, `holdpoint.${action}`)) }).toString()
  const world: SurfaceWorld = {
    surface,
    messages: () => seen(posts),
    provider: api.provider,
    press: (press) => signed(bodyOf(press), now()),
    form: forms.form,
    forged(press) {
      const body = bodyOf(press)
      const unsigned = signed(body, now())
      unsigned.headers.delete('x-slack-signature')
      const changed = new Request(signed(body, now()), { body: body.replace('Uada', 'Ueve') })
      return {
        'without a signature': unsigned,
        'signed with another secret': signed(body, now(), 'another'),
        'signed six minutes ago': signed(body, now() - 6 * 60_000),
        'signed for a later time': signed(body, now() + 6 * 60_000),
        'changed after it was signed': changed,
      }
    },
    stop: api.stop,
  }
  return { ...world, posts, whispers, signedPayload, pressOf, modal: forms.shown }
}

/** The text that Slack shows: plain text with its control characters replaced. */
function seen(posts: readonly Posted[]): SeenMessage[] {
  const literal = (text: string) => text.replace(/[<>]/g, (character) => (character === '<' ? '‹' : '›'))
  return posts
    .filter(({ thread }) => !thread)
    .map(({ channel, ts, text, blocks }) => {
      const texts = blocks.flatMap((block) => (block.text ? [block.text] : []))
      const isOpen = blocks.some(({ type }) => type === 'actions')
      const shown = texts.map((one) => (one.type === 'plain_text' ? literal(one.text) : one.text))
      return {
        userId: channel.slice(1),
        sends: 1,
        reminders: posts.filter(({ thread }) => thread === ts).length,
        text: [text, ...shown].join('\n'),
        ...(!isOpen && { outcome: texts.at(-1)?.text ?? '' }),
      }
    })
}
