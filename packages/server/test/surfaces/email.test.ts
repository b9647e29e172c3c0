import { surfaceSuite } from '@holdpoint/conformance/surface'
import type { InteractionRecord, Recipient } from '@holdpoint/server/surfaces'
import { createTransport } from 'nodemailer'
import { describe, expect, onTestFinished, test } from 'vitest'
import { headerLine } from '../../src/surfaces/email/headers.ts'
import { mailWorld } from './support/mail-world.ts'

surfaceSuite('e-mail through nodemailer to a real server', {
  make: () => mailWorld(),
  sendsAfterCrash: 2,
  retryAfter: false,
})

const interaction = (request: object = {}, rest: object = {}) =>
  ({
    ...{ interactionId: 'q1', tenant: '', sessionId: 'chat', userId: 'ada', audience: [], runId: 'r', toolCallId: 'c' },
    ...{
      toolName: 'delete_files',
      names: { tool: 'Delete files', integrations: {} },
      kind: 'approval',
      status: 'open',
    },
    askedAt: new Date(Date.UTC(2030, 0, 1)),
    expiresAt: new Date(Date.UTC(2030, 0, 2, 12)),
    request: { type: 'interaction_request', prompt: 'Delete 3 files?', args: { files: ['a.md'] }, ...request },
    ...rest,
  }) as unknown as InteractionRecord
const ada: Recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'q1/email/ada/0', repeat: false }
const links = { page: 'https://app.example.com/page', answer: async () => 'https://app.example.com/answer/TOKEN' }

async function mails(options: Parameters<typeof mailWorld>[0] = {}) {
  const world = await mailWorld(options)
  onTestFinished(() => world.stop?.())
  return { ...world, last: () => world.server.arrived.at(-1)! }
}

test('a repeated mail after a time-out of its server has the same Message-ID', async () => {
  const { surface, server } = await mails()
  await surface.present(interaction(), ada, links)
  await surface.present(interaction(), { ...ada, repeat: true }, links)
  const ids = server.arrived.map(({ mail }) => mail.messageId)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test('a server that refuses a recipient temporarily delays this recipient only', async () => {
  const { surface, server } = await mails()
  server.refuse('ada@example.com', 450)
  await expect(surface.present(interaction(), ada, links)).rejects.toMatchObject({ recipientOnly: true })
  server.setDown(true)
  await expect(surface.present(interaction(), ada, links)).rejects.not.toHaveProperty('recipientOnly')
})

describe('a mail with a question', () => {
  test('describes the question in subject, preheader, text and HTML, and links to the page', async () => {
    const { surface, last } = await mails()
    await surface.present(interaction(), ada, links)
    const { mail } = last()
    expect(mail.subject).toBe('Approval needed: Delete files')
    expect(mail.from).toMatchObject({ name: 'Acme', address: 'agent@acme.example' })
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Delete 3 files?')
      expect(body).toContain('https://app.example.com/answer/TOKEN')
      expect(body).toContain('Jan 2, 2030')
      expect(body).not.toContain('a.md')
    }
    expect(mail.html).toMatch(
      /<div style="display:none[^>]*>Nothing happens until you answer\. Delete 3 files\?<\/div>/,
    )
  })

  test('names the end of the wait, or that the assistant continues and the question stays answerable', async () => {
    const { surface, last } = await mails()
    await surface.present(interaction(), ada, links)
    expect(last().mail.text).toMatch(/You can answer until Jan 2, 2030/)
    await surface.present(interaction({ answerableLater: true }), ada, links)
    for (const body of [last().mail.text, last().mail.html]) {
      expect(body).toMatch(/The assistant continues at Jan 2, 2030, 12:00.PM \(UTC\)\. You can answer later\./)
      expect(body).not.toMatch(/Nothing happens until you answer|You can answer until/)
    }
  })

  test('contains the arguments if `details` is set', async () => {
    const { surface, last } = await mails({ details: true })
    await surface.present(interaction(), ada, links)
    expect(last().mail.text).toContain('- a.md')
    expect(last().mail.html).toContain('- a.md')
  })

  test('shows the arguments in their own direction, in colors for a light and a dark mail program', async () => {
    const address = { address: 'ada@example.com', language: 'ar' }
    const { surface, last } = await mails({ details: true, addressOf: () => address })
    await surface.present(interaction(), ada, links)
    const [, style = ''] = /<pre dir="auto" style="([^"]*)">/.exec(String(last().mail.html)) ?? []
    expect(style).toContain('unicode-bidi:plaintext')
    expect(style).toMatch(/background:rgba\(/)
    expect(style).not.toMatch(/(^|;)color:/)
  })

  test.each([
    ['de', 'Ihre Freigabe wird gebraucht: Delete files', 'Ansehen und antworten', 'ltr'],
    ['ar', 'مطلوب موافقتك: Delete files', 'المراجعة والرد', 'rtl'],
  ] as const)('is written in the language of its reader: %s', async (language, subject, button, direction) => {
    const { surface, last } = await mails({ addressOf: () => ({ address: 'ada@example.com', name: 'Ada', language }) })
    await surface.present(interaction(), ada, links)
    const { mail } = last()
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(button)
    expect(mail.html).toContain(`lang="${language}" dir="${direction}"`)
    expect(mail.to).toMatchObject([{ address: 'ada@example.com', name: 'Ada' }])
  })

  test('has headers to unsubscribe and to mark it as generated', async () => {
    const { surface, last } = await mails()
    await surface.present(interaction(), ada, links)
    const header = (name: string) => last().mail.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe')).toBe('<mailto:agent@acme.example?subject=unsubscribe>')
    expect(header('auto-submitted')).toBe('auto-generated')
  })

  test('offers one click to unsubscribe where the app has a page for it', async () => {
    const { surface, last } = await mails({
      unsubscribe: ({ userId }) => ({ url: `https://acme.example/stop?u=${userId}` }),
    })
    await surface.present(interaction(), ada, links)
    const header = (name: string) => last().mail.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe')).toBe('<https://acme.example/stop?u=ada>')
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  test('keeps its Message-ID when it is repeated', async () => {
    const { surface, server } = await mails()
    await surface.present(interaction(), ada, links)
    await surface.present(interaction(), { ...ada, repeat: true }, links)
    await surface.present(interaction(), { ...ada, userId: 'bob', deliveryId: 'q1/email/bob/0' }, links)
    const ids = server.arrived.map(({ mail }) => mail.messageId)
    expect(ids[0]).toMatch(/^<[0-9a-f]{40}@acme\.example>$/)
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false])
  })
})

describe('the mails after the first', () => {
  test('of a reminder and an outcome belong to the thread of the first mail', async () => {
    const { surface, server } = await mails()
    const first = await surface.present(interaction(), ada, links)
    const second = await surface.present(
      interaction(),
      { ...ada, reminder: 1, deliveryId: 'q1/email/ada/1', previous: first! },
      links,
    )
    const by = { userId: 'bob', name: 'Bob', clientId: 'tab' }
    const answer = { action: 'approve', at: new Date(), by }
    await surface.update(second!, interaction({}, { status: 'answered', outcome: 'approved', answer }), ada)
    const [asked, reminder, outcome] = server.arrived.map(({ mail }) => mail)
    expect(reminder?.subject).toBe('Re: Approval needed: Delete files')
    expect(reminder?.inReplyTo).toBe(asked?.messageId)
    expect(outcome?.inReplyTo).toBe(reminder?.messageId)
    expect(outcome?.references?.split(' ')).toEqual([asked?.messageId, reminder?.messageId])
    expect(outcome?.text).toContain('Bob approved this')
  })

  test('of an outcome are not sent to the recipient who answered', async () => {
    const { surface, server } = await mails()
    const ref = await surface.present(interaction(), ada, links)
    const answer = { action: 'approve', at: new Date(), by: { userId: 'ada', clientId: 'answer-link' } }
    await surface.update(ref!, interaction({}, { status: 'answered', outcome: 'approved', answer }), ada)
    expect(server.arrived).toHaveLength(1)
  })
})

describe('hostile input of a mail', () => {
  const HOSTILE = 'Hi\r\nBcc: eve@example.com\r\n\r\n<img src=x onerror=alert(1)>\u2028X-Evil: 1\u202e'

  test('a text of a question cannot start a header or an element', async () => {
    const { surface, last } = await mails({ details: true })
    const request = { prompt: HOSTILE, labels: { title: HOSTILE }, args: { [HOSTILE]: HOSTILE } }
    await surface.present(interaction(request, { toolName: HOSTILE }), ada, links)
    const { mail, raw, to } = last()
    expect(to).toBe('ada@example.com')
    const names = mail.headers.map(({ key }) => key)
    expect(names.filter((name) => name === 'bcc' || name === 'x-evil')).toEqual([])
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(Bcc|X-Evil):/im)
    expect(mail.html).not.toContain('<img')
    expect(mail.subject).not.toMatch(/[\r\n\u2028\u202e]/)
  })

  test.each(['eve@example.com\r\nBcc: x@example.com', 'a@b.example, c@d.example', '"x" <a@b.example>', 'ada', ''])(
    'an address that is not exactly one address is rejected: %j',
    async (address) => {
      const { surface, server } = await mails({ addressOf: () => address })
      await expect(surface.present(interaction(), ada, links)).rejects.toMatchObject({ code: 'invalid_options' })
      expect(server.arrived).toEqual([])
    },
  )

  test('a name and an unsubscribe address cannot start a header', async () => {
    const name = 'Ada\r\nBcc: eve@example.com'
    const { surface, last } = await mails({
      addressOf: () => ({ address: 'ada@example.com', name }),
      unsubscribe: () => ({ url: 'https://acme.example/stop?u=a>\r\nBcc: eve@example.com' }),
    })
    await surface.present(interaction(), ada, links)
    expect(last().to).toBe('ada@example.com')
    expect(last().mail.headers.map(({ key }) => key)).not.toContain('bcc')
  })

  test('a long title is shortened to one line', () => {
    expect(headerLine('a'.repeat(500))).toHaveLength(120)
    expect(headerLine('a\r\n\r\nb\tc')).toBe('a b c')
  })
})

describe('a recipient whom the mail server refuses', () => {
  test.each([550, 553])('permanently with %i receives nothing and is not retried', async (code) => {
    const { surface, server } = await mails()
    server.refuse('ada@example.com', code)
    expect(await surface.present(interaction(), ada, links)).toBeNull()
  })

  test('temporarily with 451 is retried', async () => {
    const { surface, server } = await mails()
    server.refuse('ada@example.com', 451)
    await expect(surface.present(interaction(), ada, links)).rejects.toThrow()
  })
})

test('the surface accepts every transport of nodemailer', async () => {
  const { emailSurface } = await import('@holdpoint/server/email')
  const from = { name: 'Acme', address: 'agent@acme.example' }
  const transport = createTransport({ jsonTransport: true })
  const surface = emailSurface({ transport, from, addressOf: () => 'ada@example.com' })
  expect(await surface.present(interaction(), ada, links)).toMatchObject({ first: expect.stringContaining('@acme') })
})
