import { createMockAdapter, createMockState } from '@chat-adapter/tests'
import { surfaceSuite } from '@holdpoint/conformance/surface'
import { chatSurface } from '@holdpoint/server/chat'
import type { InteractionRecord, Recipient } from '@holdpoint/server/surfaces'
import { Chat } from 'chat'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { canAnswerInMessage } from '../../src/surfaces/chat/card.ts'
import { plain } from '../../src/surfaces/chat/plain.ts'
import { messageLanguage } from '../../src/surfaces/message-language.ts'
import { telegramWorld } from './support/telegram-world.ts'

surfaceSuite('Telegram through the Chat SDK to a double of its API', {
  make: () => telegramWorld(),
  sendsAfterCrash: 2,
})

const ID = `q${'0'.repeat(9)}${'a'.repeat(22)}`
const record = (request: object = {}, rest: object = {}) =>
  ({
    ...{ interactionId: ID, tenant: '', sessionId: 'chat', userId: 'ada', toolName: 'deploy_app', kind: 'approval' },
    names: { tool: 'Deploy app', integrations: {} },
    request: { type: 'interaction_request', prompt: 'Deploy?', risk: 'low', args: { to: 'test' }, ...request },
    ...rest,
  }) as unknown as InteractionRecord
const ada: Recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'q1/chat/ada/0', repeat: false }
const links = { page: 'https://app.example.com/page', answer: async () => 'https://app.example.com/answer/TOKEN' }

async function telegram(...options: Parameters<typeof telegramWorld>) {
  const world = await telegramWorld(...options)
  onTestFinished(() => world.stop?.())
  return world
}

/** Any platform: the mock adapter of the Chat SDK. */
function platform(name: string, overrides: object = {}) {
  const adapter = createMockAdapter(name, overrides)
  const chat = new Chat({ userName: 'acme', adapters: { [name]: adapter }, state: createMockState(), logger: 'silent' })
  const surface = chatSurface({
    chat,
    addressOf: ({ userId }) => ({ platform: name, userId, language: 'de' }),
    userOf: ({ userId }) => ({ userId }),
  })
  return { adapter, surface }
}

describe('the message', () => {
  test.each(['slack', 'teams', 'discord', 'telegram', 'whatsapp'])(
    'is a card in the direct messages of %s',
    async (name) => {
      const { adapter, surface } = platform(name)
      const ref = await surface.present(record(), ada, links)
      expect(ref).toEqual({ platform: name, thread: `${name}:Dada:`, message: 'msg-1' })
      expect(vi.mocked(adapter.postMessage).mock.calls).toMatchObject([
        [
          `${name}:Dada:`,
          {
            card: {
              title: 'Freigabe nötig: Deploy app',
              children: [
                { type: 'text', content: 'Deploy?' },
                { type: 'text', content: 'To: test' },
                {
                  type: 'actions',
                  children: [
                    { id: 'hp:y', label: 'Freigeben' },
                    { id: 'hp:n', label: 'Ablehnen' },
                    {
                      type: 'link-button',
                      label: 'Ansehen und antworten',
                      url: 'https://app.example.com/answer/TOKEN',
                    },
                  ],
                },
              ],
            },
          },
        ],
      ])
      await surface.update(ref!, record({}, { status: 'cancelled', outcome: 'cancelled' }), ada)
      const [thread, id, edited] = vi.mocked(adapter.editMessage).mock.calls[0] ?? []
      expect([thread, id]).toEqual([ref?.thread, ref?.message])
      expect(JSON.stringify(edited)).not.toContain('hp:y')
    },
  )

  test.each([
    ['an approval of a low risk', record(), true],
    ['an approval without a stated risk', record({ risk: undefined }), false],
    ['an approval of a high risk', record({ risk: 'high' }), false],
    ['a form', record({ inputSchema: { type: 'form', fields: [] } }, { kind: 'input' }), false],
    ['a diff', record({ diff: [{ path: 'a', hunks: [] }] }), false],
    ['arguments that do not fit into the message', record({ args: { text: 'a'.repeat(1_501) } }), false],
    ['text with a format of some platform', record({ prompt: 'Run *this*?' }), false],
    ['an id that no button can carry', record({}, { interactionId: 'q'.repeat(33) }), false],
    ['an address and a name with an underscore', record({ prompt: 'Send a_b.md to ada@example.com?' }), true],
  ])('%s has buttons: %s', async (_name, interaction, expected) => {
    expect(canAnswerInMessage(interaction, messageLanguage())).toBe(expected)
    const { surface, posts } = await telegram()
    await surface.present(interaction, ada, links)
    expect(posts[0]?.buttons.map(({ text }) => text)).toEqual([
      ...(expected ? ['Approve', 'Deny'] : []),
      'Review and answer',
    ])
  })

  test.each([
    ['Slack', '<!channel> <@U1> <https://evil.example|click> *b* _i_ ~s~ `c`'],
    ['Telegram', '[click](https://evil.example) __u__ ||spoiler|| \\_ {{emoji:x}}'],
    ['Discord', '@everyone @here <@&1> ||x|| # Title\n## Second\n> quote'],
    ['Teams', '<at>Bob</at> **b** [x](y) <script>alert(1)</script>'],
  ])('a text of a question contains no formatting of %s', (_platform, hostile) => {
    expect(plain(hostile)).not.toMatch(/[<>*`~[\]|\\{}]|(^|\s)[@_]|(^|\n)#/)
  })

  test('text without markup of the platform is not changed', () => {
    const text = 'Send report_final.md (3 pages) to ada@example.com, #2 of 5: "yes" & no – it’s 50 % off!\n- a\n- b'
    expect(plain(text)).toBe(text)
  })
})

describe('problems of a platform', () => {
  test('a user who blocked the bot cannot be reached, and this is not a failure', async () => {
    const { surface, block } = await telegram()
    block('ada')
    expect(await surface.present(record(), ada, links)).toBeNull()
  })

  test('a wait that the platform requests is passed on as retryAfterMs', async () => {
    const { surface, provider } = await telegram()
    provider.limitOnce(7)
    await expect(surface.present(record(), ada, links)).rejects.toMatchObject({ retryAfterMs: 7_000 })
  })

  test('an error names a platform without an adapter or without direct messages', async () => {
    const { surface } = await telegram({ addressOf: () => ({ platform: 'fax', userId: '1' }) })
    await expect(surface.present(record(), ada, links)).rejects.toThrow('no adapter "fax"')
    const without = platform('irc', { openDM: undefined })
    await expect(without.surface.present(record(), ada, links)).rejects.toThrow('no direct messages')
  })
})
