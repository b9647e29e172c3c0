import { PassThrough } from 'node:stream'
import { createHoldpointClient } from '@holdpoint/core'
import { answerInTerminal } from '@holdpoint/core/node'
import { memoryTransport } from '@holdpoint/core/testing'
import { ApprovalDialog, AuthRequestCard } from '@holdpoint/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { connectBody } from '../../src/answer-page/connect-page.ts'
import { languageOf } from '../../src/answer-page/markup/language.ts'
import { questionBody } from '../../src/answer-page/question-page.ts'
import type { InteractionRecord } from '../../src/engine/api/interactions.ts'
import { namesOf } from '../../src/engine/session/names-of.ts'
import { questionMessage as chatMessage } from '../../src/surfaces/chat/card.ts'
import { questionMessage as mail } from '../../src/surfaces/email/compose.ts'
import { messageLanguage } from '../../src/surfaces/message-language.ts'
import { questionMessage as slackMessage } from '../../src/surfaces/slack/views/blocks.ts'
import { askingNotification } from '../../src/surfaces/web-push/notification.ts'

/** A question without words of its agent: every surface asks the same, and writes ids in the same way. */
const language = languageOf('en')
const spoken = messageLanguage('en')

function asked(changes: object): InteractionRecord {
  const ids = { interactionId: 'q1', sessionId: 'chat', runId: 'r', toolCallId: 'c' }
  const expiresAt = '2030-01-01T12:00:00.000Z'
  const request = {
    ...{ ...ids, timestamp: '2030-01-01T11:00:00.000Z', expiresAt, timeoutMs: 3_600_000, attempt: 1 },
    ...changes,
  }
  const { type, toolName } = request as { type?: string; toolName?: string }
  return {
    ...{ ...ids, tenant: '', userId: 'ada', audience: [], status: 'open', toolName, request },
    ...{ kind: type === 'auth_needed' ? 'connect' : 'approval', expiresAt: new Date(expiresAt) },
    names: namesOf({ toolName, request } as never),
  } as unknown as InteractionRecord
}
const approval = (toolName: string) => asked({ type: 'interaction_request', interactionType: 'approval', toolName })
const accounts = (integration: string) =>
  asked({
    type: 'auth_needed',
    toolName: 'post',
    generationId: 'r',
    conversationId: 'chat',
    integrations: [integration],
  })

/** The text that a person reads in HTML. */
const textOf = (html: string) =>
  html
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#x27;|&#39;/g, "'")
    .replace(/[\u2066-\u2069]/g, '')

function clientOf({ request }: InteractionRecord) {
  const snapshot = {
    ...{ cursor: '1.0.0', serverTime: '2030-01-01T11:00:00.000Z', you: { userId: 'ada', can: ['respond' as const] } },
    ...{ runs: [], interactions: [{ request }] },
  }
  const peer = { subscribe: () => () => {}, send: async () => ({ status: 200 }) }
  return createHoldpointClient({
    sessionId: 'chat',
    transport: memoryTransport(peer as never),
    initial: { snapshot: snapshot as never },
  })
}

function onCard(record: InteractionRecord): string {
  const interaction = clientOf(record).getSnapshot().interactions.get('q1')!
  const card = record.kind === 'connect' ? AuthRequestCard : ApprovalDialog
  return textOf(renderToStaticMarkup(createElement(card, { interaction })))
}

async function inTerminal(record: InteractionRecord): Promise<string> {
  const client = { ...clientOf(record), connectAccount: async () => ({ status: 'unavailable' }) as never }
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (chunk) => {
    shown += chunk
  })
  const controller = new AbortController()
  const done = answerInTerminal({ client, input, output, signal: controller.signal })
  await expect.poll(() => shown).toMatch(/\[|Waiting/)
  controller.abort()
  client.close()
  await done.catch(() => {})
  return shown
}

const page = { language, answerId: 'a', now: 0, retry: {}, stepped: undefined, uploadBytes: 1 }
const writing = {
  ...{ language: 'en', direction: 'ltr' as const, timeZone: 'UTC', details: false },
  ...{ say: spoken.say, messages: spoken.messages },
}
const recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'd', repeat: false }

const surfaces: Record<string, (record: InteractionRecord) => string | Promise<string>> = {
  'the card': onCard,
  'the answer page': (record) => textOf(questionBody(record, page).text),
  'an e-mail': (record) => mail(record, 'https://app.example.com/a', false, writing).text,
  Slack: (record) => slackMessage(record, 'https://app.example.com/a', spoken).text,
  'a chat platform': (record) => chatMessage(record, 'https://app.example.com/a', spoken).fallbackText,
  'a notification': async (record) => (await askingNotification(record, recipient, '/', language)).body,
  'a terminal': inTerminal,
}

test.each(Object.entries(surfaces))(
  'an approval without a prompt asks on %s whether its tool may run',
  async (_, of) => {
    expect(await of(approval('restart_server'))).toContain('Allow “Restart server”?')
  },
)

test.each([
  ['mcp__github__createIssue', 'Mcp github create issue'],
  ['sendHTTPRequest', 'Send HTTP request'],
  ['files.delete-all', 'Files delete all'],
  ['delete\u202e_selif', 'delete\\u{202e}_selif'],
  ['löschen', 'löschen'],
])('the tool %j is written as "%s" on all surfaces', async (id, name) => {
  for (const [surface, of] of Object.entries(surfaces)) {
    // On chat platforms the characters of Markdown are in their wide form.
    const text = (await of(approval(id))).normalize('NFKC')
    expect(text, surface).toContain(`Allow “${name}”?`)
  }
})

test.each([
  ['google-calendar', 'Google Calendar'],
  ['acme_crm', 'Acme Crm'],
  ['sl\u200back', 'Sl\\u{200b}ack'],
])('the account %j is written as "%s" on the card, the answer page and in a terminal', async (id, name) => {
  const record = accounts(id)
  expect(onCard(record)).toContain(`Connect ${name}`)
  expect(textOf(connectBody(record, page).text)).toContain(`Connect ${name}`)
  expect(await inTerminal(record)).toContain(`Connect ${name}:`)
})
