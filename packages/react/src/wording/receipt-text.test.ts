import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { answered, approval, diff, form } from '../testing/interactions.ts'
import { receiptOf } from './receipt-text.ts'

const of = (
  interaction: Parameters<typeof receiptOf>[0],
  state: Parameters<typeof receiptOf>[1] = 'answered-here',
  more: Partial<Parameters<typeof receiptOf>[3]> = {},
) =>
  receiptOf(interaction, state, english, { time: '2:02 PM', toolName: 'Delete files', ...more })
    ?.replace(/[\u2068\u2069]/g, '')
    .replaceAll('\u00a0', ' ')
const scopes = ['once', 'session'] as ('once' | 'session')[]

test.each([
  ['approved', answered(approval(), { action: 'approve' }), 'Approved: Delete 3 files · you · 2:02 PM'],
  [
    'the scope, if there was a choice',
    answered(approval({ request: { approvalScopes: scopes } }), { action: 'approve', approvalScope: 'once' }),
    'Approved: Delete 3 files · you · 2:02 PM · just this time',
  ],
  [
    'what a wider scope covers',
    answered(approval({ request: { approvalScopes: scopes, approvalCovers: 'tool' } }), {
      ...{ action: 'approve', approvalScope: 'session' },
    }),
    'Approved: Delete 3 files · you · 2:02 PM · in this chat, for every “Delete files”',
  ],
  [
    'a part of the changes',
    answered(approval({ request: { diff } }), { action: 'approve', diffDecisions: { h1: 'reject' } }),
    'Approved 2 of 3 changes: Delete 3 files · you · 2:02 PM',
  ],
  [
    'edited arguments',
    answered(approval(), { action: 'approve', args: {} }),
    'Approved with changes: Delete 3 files · you · 2:02 PM',
  ],
  ['denied', answered(approval(), { action: 'deny' }), 'Denied: Delete 3 files · you · 2:02 PM'],
] as const)('the receipt of an answered approval contains %s', (_what, interaction, text) => {
  expect(of(interaction)).toBe(text)
})

test('the receipt of an approval by another user names that user', () => {
  const theirs = answered(approval(), { action: 'approve' }, { here: false, name: 'Ada\u202e' })
  expect(of(theirs, 'answered-elsewhere')).toBe('Approved: Delete 3 files · Ada\\u{202e} · 2:02 PM')
  const own = { ...theirs, answeredBy: { clientId: 'client-2', userId: 'ada' } }
  const device = { isAnother: () => true }
  expect(of(own, 'answered-elsewhere', { userId: 'ada', device })).toContain('you, on another device')
})

test('a form, a card without labels and an unanswered question have no receipt', () => {
  expect(of(answered(form(), { action: 'submit' }))).toBeUndefined()
  expect(of(answered(approval({ request: { labels: undefined } }), { action: 'approve' }))).toBeUndefined()
  expect(of(approval(), 'expired')).toBeUndefined()
})

test('the receipt of an approval by a remembered approval names the rule and its user', () => {
  const mine = answered(approval(), { action: 'approve', coveredBy: 'q0' }, { here: false })
  const own = { ...mine, answeredBy: { clientId: 'client-2', userId: 'ada' } }
  expect(of(own, 'answered-elsewhere', { userId: 'ada' })).toBe('Allowed by your rule: Delete 3 files · 2:02 PM')
  const theirs = answered(approval(), { action: 'approve', coveredBy: 'q0' }, { here: false, name: 'Grace\u202e' })
  expect(of(theirs, 'answered-elsewhere', { userId: 'ada' })).toBe(
    'Allowed by a rule of Grace\\u{202e}: Delete 3 files · 2:02 PM',
  )
})
