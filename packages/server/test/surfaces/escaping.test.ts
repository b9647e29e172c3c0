import { createMockAdapter, createMockState } from '@chat-adapter/tests'
import { chatSurface } from '@holdpoint/server/chat'
import { emailSurface } from '@holdpoint/server/email'
import type { InteractionRecord, Recipient } from '@holdpoint/server/surfaces'
import { Chat } from 'chat'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { languageOf } from '../../src/answer-page/markup/language.ts'
import { namesOf } from '../../src/engine/session/names-of.ts'
import type { Mail } from '../../src/surfaces/email/email.ts'
import { askingNotification, settledNotification } from '../../src/surfaces/web-push/notification.ts'
import { slackWorld } from './support/slack-world.ts'

/** Text from agents, tools and users, in every place of a message, on each platform: none of it takes effect there. */
const ada: Recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'q1/x/ada/0', repeat: false }
const links = { page: 'https://app.example.com/page', answer: async () => 'https://app.example.com/answer/TOKEN' }

function asked(text: string): InteractionRecord {
  const request = {
    ...{ type: 'interaction_request', prompt: text, risk: 'low', args: { [text]: text } },
    ...{ facts: [{ label: text, value: text }], labels: { title: text } },
  }
  return {
    ...{ interactionId: `q${'0'.repeat(31)}`, tenant: '', sessionId: 'chat', userId: 'ada', toolName: text },
    names: namesOf({ toolName: text, request } as never),
    ...{ kind: 'approval', status: 'open', expiresAt: new Date('2030-01-01T12:00:00Z'), audience: [], request },
  } as unknown as InteractionRecord
}
const settled = (text: string) =>
  ({
    ...{ ...asked(text), status: 'answered', outcome: 'approved' },
    answer: { action: 'approve', at: 1, by: { userId: text, name: text } },
  }) as unknown as InteractionRecord

describe('e-mail', () => {
  async function mailsOf(text: string): Promise<Mail[]> {
    const sent: Mail[] = []
    const surface = emailSurface({
      transport: { sendMail: async (mail) => void sent.push(mail) },
      from: { name: 'Acme', address: 'agent@acme.example' },
      addressOf: () => 'ada@example.com',
      details: true,
    })
    const ref = await surface.present(asked(text), ada, links)
    if (ref) await surface.update(ref, settled(text), ada)
    expect(sent).toHaveLength(2)
    return sent
  }
  const tags = (html: string) => html.match(/<[^>]*>?/g)

  test.each([
    '</p><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><a href="https://evil.example">Review and answer</a>',
    "' style='position:fixed",
    '<!--',
    '</body></html><body>',
    '<style>*{display:none}</style>',
    '&lt;b&gt; & <b',
  ])('the markup of a mail is the same with the text %s', async (text) => {
    const [usual, hostile] = [await mailsOf('Usual'), await mailsOf(text)]
    expect(hostile.map(({ html }) => tags(html))).toEqual(usual.map(({ html }) => tags(html)))
  })

  test.each([
    '\r\nBcc: eve@example.com',
    '\nSubject: Paid',
    '\rX: y',
    '\u2028Bcc: a@b',
    '\u0085Bcc: a@b',
    'a\tb',
    '\u0000',
  ])('the subject and the headers are one line each with the text %j', async (text) => {
    for (const { subject, headers, to, from, messageId, inReplyTo = '', references = '' } of await mailsOf(text)) {
      const lines = [subject, to.address, from.name, messageId, inReplyTo, references, ...Object.values(headers ?? {})]
      for (const line of lines.flat()) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect([to.address, from.address]).toEqual(['ada@example.com', 'agent@acme.example'])
    }
  })

  test.each(['\u202egnp.exe', '\u200bhidden', '\u2066a\u2069', 'a\u0007b', '\u{e0041}'])(
    'the text of a mail shows invisible characters: %j',
    async (text) => {
      for (const { text: body, html, subject } of await mailsOf(text)) {
        for (const shown of [body, html, subject])
          expect(shown).not.toContain([...text].find((one) => one > '~' || one < ' '))
      }
    },
  )
})

test.each([
  '<!channel> <!here>',
  '<@U0123> <#C0123> <!subteam^S1>',
  '<https://evil.example|Review and answer>',
  '*b* _i_ ~s~ `c` ```d``` > quote',
  ':warning: &lt;!channel&gt;',
  '<!date^1392734382^{date}^https://evil.example|now>',
])('Slack formats nothing of %s', async (text) => {
  const { surface, posts, stop } = await slackWorld({ now: Date.now })
  onTestFinished(() => stop?.())
  const ref = await surface.present(asked(text), ada, links)
  const texts: { type: string; text: string; emoji?: boolean }[] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const one = value as { type?: unknown; text?: unknown; emoji?: boolean }
    if (typeof one.text === 'string') texts.push(one as never)
    for (const inner of Object.values(value)) collect(inner)
  }
  const check = () => {
    const [post] = posts
    // Slack reads mrkdwn in the fallback text of notifications.
    expect(post?.text.replace(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[<>&]/)
    texts.length = 0
    collect(post?.blocks)
    expect(texts.length).toBeGreaterThan(0)
    for (const one of texts) expect(one).toMatchObject({ type: 'plain_text', emoji: false })
  }
  check()
  if (ref) await surface.update(ref, settled(text), ada)
  check()
})

/** The text that begins a mention, a link or a format on each platform. */
const PLATFORMS: readonly [platform: string, active: RegExp, texts: readonly string[]][] = [
  [
    'slack',
    /<[!@#h]|\*[^*]+\*|(?<!\w)_[^_]+_(?!\w)|~[^~]+~|`/,
    ['<!channel> <@U1> <#C1>', '<https://evil.example|click>', '*b* _i_ ~s~ `c`'],
  ],
  [
    'telegram',
    /\[[^\]]*\]\(|\*|(?<!\w)_|`|\|\||~|\\|<\/?\w|(?<!\w)@\w/,
    [
      '[click](https://evil.example)',
      '[Ada](tg://user?id=1)',
      '__u__ ||spoiler|| \\_ ~s~',
      '<b>x</b> <a href="x">y</a>',
      '@ada',
    ],
  ],
  [
    'discord',
    /@(?:everyone|here)|<[@#:]|\*|(?<!\w)_|`|\|\||~~|^#|^\s*>|\[[^\]]*\]\(/m,
    [
      '@everyone @here a@everyone',
      '<@1> <@&1> <#1> <:x:1>',
      '# Title\n## Second\n> quote',
      '||x|| ~~s~~ [a](https://evil.example)',
    ],
  ],
  [
    'teams',
    /<\/?\w|\*|(?<!\w)_|\[[^\]]*\]\(|`|^#/m,
    [
      '<at>Bob</at>',
      '**b** [x](https://evil.example)',
      '<script>alert(1)</script>',
      '![i](https://evil.example/p.png)',
      '# T',
    ],
  ],
  [
    'whatsapp',
    /\*[^*]+\*|(?<!\w)_[^_]+_(?!\w)|~[^~]+~|`|^\s*>|(?<!\w)@\d/m,
    ['*b* _i_ ~s~', '```code``` `c`', '> quote', '@4915112345'],
  ],
]

describe.each(PLATFORMS)('%s', (platform, active, texts) => {
  test.each(texts)('formats nothing of %j', async (text) => {
    const adapter = createMockAdapter(platform)
    const chat = new Chat({
      ...{ userName: 'acme', adapters: { [platform]: adapter }, state: createMockState(), logger: 'silent' },
    })
    const surface = chatSurface({
      chat,
      addressOf: ({ userId }) => ({ platform, userId }),
      userOf: ({ userId }) => ({ userId }),
    })
    const ref = await surface.present(asked(text), ada, links)
    await surface.present(asked(text), { ...ada, reminder: 1, ...(ref && { previous: ref }) }, links)
    if (ref) await surface.update(ref, settled(text), ada)
    const sent = [...vi.mocked(adapter.postMessage).mock.calls, ...vi.mocked(adapter.editMessage).mock.calls]
    const shown = sent.flatMap((call) => textsOf(call.at(-1)))
    expect(text).toMatch(active)
    expect(shown.length).toBeGreaterThan(4)
    for (const one of shown) expect(one).not.toMatch(active)
  })
})

/** All texts of a card that a person reads. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string'
      ? /^(?:title|content|label|fallbackText|text)$/.test(name)
        ? [inner]
        : []
      : textsOf(inner),
  )
}

test.each(['\u202egnp.exe', '\u200bhidden', '\u2066a\u2069', 'a\u0007b'])(
  'web push shows invisible characters, and passes markup on as text: %j',
  async (invisible) => {
    const text = `<b>x</b> ${invisible}`
    const language = languageOf('en')
    const shown = [
      await askingNotification(asked(text), ada, links.page, language),
      settledNotification(settled(text), ada, links.page, language),
    ]
    const hidden = [...invisible].find((one) => one > '~' || one < ' ')
    for (const { title, body } of shown) {
      expect(body).toContain('<b>x</b>')
      for (const one of [title, body]) expect(one).not.toContain(hidden)
    }
  },
)
