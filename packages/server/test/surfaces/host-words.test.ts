import { expect, test } from 'vitest'
import { languageOf } from '../../src/answer-page/markup/language.ts'
import type { InteractionRecord } from '../../src/engine/api/interactions.ts'
import { questionMessage as chatMessage } from '../../src/surfaces/chat/card.ts'
import { messageLanguage } from '../../src/surfaces/message-language.ts'
import { questionMessage as slackMessage } from '../../src/surfaces/slack/views/blocks.ts'
import { askingNotification } from '../../src/surfaces/web-push/notification.ts'

/** Messages with buttons have the words of the card: the host's labels, and arguments in the language of the reader. */
const labels = { approve: 'Delete\u202ethem', deny: 'Keep them', decline: 'Not now' }
const args = { force: true, at: '2026-01-31T09:30:00Z' }
const record = (request: object) =>
  ({
    ...{ interactionId: 'q1', tenant: '', sessionId: 'chat', userId: 'ada', toolName: 'delete', kind: 'approval' },
    names: { tool: 'Delete', integrations: {} },
    request: { type: 'interaction_request', prompt: 'Delete?', risk: 'low', ...request },
  }) as unknown as InteractionRecord
const form = { type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] }
const recipient = { tenant: '', userId: 'ada', reminder: 0, deliveryId: 'd', repeat: false }
const slack = (one: InteractionRecord, tag?: string) => JSON.stringify(slackMessage(one, '/', messageLanguage(tag)))
const chat = (one: InteractionRecord, tag?: string) => JSON.stringify(chatMessage(one, '/', messageLanguage(tag)))
const push = async (one: InteractionRecord, tag?: string) =>
  JSON.stringify(await askingNotification(one, recipient, '/', languageOf(tag ?? 'en')))
const surfaces = { slack, chat, push }

test.each(Object.entries(surfaces))('the buttons of %s have the labels of the question', async (_name, of) => {
  const message = (await of(record({ labels }))).normalize('NFKC')
  expect(message).toMatch(/Delete\\+u\{202e\}them/)
  expect(message).toContain('Keep them')
  expect(message).not.toMatch(/"(?:Approve|Deny)"/)
  expect(await of(record({}))).toMatch(/"Approve".*"Deny"/)
})

test('the button of Slack that declines a form has the label of the question', () => {
  const asked = { ...record({ labels, inputSchema: form }), kind: 'input' } as InteractionRecord
  expect(slack(asked)).toContain('"Not now"')
})

test.each(Object.entries(surfaces))('%s shows arguments in the language of the reader', async (_name, of) => {
  const german = await of(record({ args }), 'de-DE')
  expect(german).toMatch(/Force: Ja/)
  expect(german).toContain('31. Januar 2026')
  expect(await of(record({ args }), 'en')).toMatch(/Force: Yes/)
})
