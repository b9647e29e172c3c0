import type { Interaction } from '@holdpoint/core'
import { roundUp } from '@holdpoint/core/internal/words'
import { english } from '@holdpoint/core/messages'
import { describe, expect, test } from 'vitest'
import { numberLines } from '../approval-dialog/diff/diff-lines.tsx'
import { cutAt } from '../card/elements/code-block.tsx'
import { shownValue } from '../field/read-only-values.tsx'
import { answered, approval, connect, form, NOW } from '../testing/interactions.ts'
import { integrationName } from './names.ts'
import { outcomeOf } from './outcome-text.ts'
import { questionAloud } from './question-text.ts'
import { fillTemplate } from './template.ts'

describe('the remaining time', () => {
  test.each([
    [3 * 86_400_000, 'day', 3],
    [7_260_000, 'hour', 3],
    [301_000, 'minute', 5],
    [303_000, 'minute', 6],
    [61_000, 'minute', 1],
    [63_000, 'minute', 2],
    [59_000, 'second', 60],
    [41_000, 'second', 50],
    [4_200, 'second', 5],
  ] as const)('of %i ms is shown in %ss: %i', (ms, unit, count) => {
    expect(roundUp(ms)).toMatchObject({ unit, count })
  })
  test('keeps its text until the next text is due', () => {
    expect(roundUp(61_000).staysMs).toBe(1_000)
    expect(roundUp(59_000).staysMs).toBe(9_000)
  })
})

describe('a long text', () => {
  test('is truncated by lines and by characters, and not for a small excess', () => {
    expect(cutAt('a\n'.repeat(14))).toBeNull()
    expect(cutAt(`${'a\n'.repeat(14)}b`)).toBeNull()
    const many = 'line\n'.repeat(60)
    expect(many.slice(0, cutAt(many)!).split('\n')).toHaveLength(14)
    expect(cutAt('x'.repeat(10_000))).toBe(1_600)
  })
})

test('the lines of a hunk are numbered as in the files', () => {
  const lines = numberLines({ id: 'h', oldStart: 10, newStart: 20, lines: [' a', '-b', '+c', '+d\u202E', ' e'] })
  expect(lines.map(({ before, after }) => [before, after])).toEqual([
    [10, 20],
    [11, null],
    [null, 21],
    [null, 22],
    [12, 23],
  ])
  expect(lines.map(({ sign }) => sign).join('')).toBe(' −++ ')
  expect(lines[3]?.text).toBe('d\\u{202e}')
})

test('a template inserts answers as text, and no value from elsewhere [T13.2]', () => {
  const { response } = answered(form(), {
    action: 'submit',
    input: { email: 'a@b.c', to: ['x', 'y'], o: { secret: 'no' } },
  })
  expect(fillTemplate('{{email}} {{ to }} {{o}}|{{constructor}}|{{__proto__}}|{{toolCallId}}', response)).toBe(
    'a@b.c x, y |||',
  )
})

test('a secret is shown as set or not set, never as its value', () => {
  const field = { id: 'k', type: 'secret', label: 'Key' } as const
  expect(shownValue(field, 'hunter2', english)).toBe('Set')
  expect(shownValue(field, undefined, english)).toBe('Not set')
})

test('the outcome of another user contains the isolated name of the user', () => {
  const one = answered(form(), { action: 'submit' }, { here: false, name: 'A\u202Eda' })
  expect(outcomeOf(one, 'answered-elsewhere', english)).toBe('\u2068A\\u{202e}da\u2069 answered this')
})

test('accounts that were connected elsewhere are shown as connected, not as answered', () => {
  const elsewhere = connect({ status: 'answered', answeredHere: false })
  expect(outcomeOf(elsewhere, 'answered-elsewhere', english)).toBe('Connected. The task continues.')
})

test('an integration id becomes a readable name', () =>
  expect(integrationName('google-calendar')).toBe('Google Calendar'))

test('an id that every object has is not a name of the app', () =>
  expect(integrationName('constructor', { integrations: {} })).toBe('Constructor'))

test('an announcement names tools and accounts as the app does, like the heading of the card', () => {
  const names = { tools: { send_email: { name: 'Send an e-mail' } }, integrations: { slack: { name: 'Acme chat' } } }
  const one = connect({ request: { integrations: ['slack'], reason: 'To post the summary.' } })
  const aloud = (it: Interaction) => questionAloud(it, english, { ...names, now: NOW, locale: 'en' })
  expect(aloud(one)).toContain('Connect Acme chat. To post the summary.')
  const mail = approval({ toolName: 'send_email' })
  const bare = { ...mail, request: { ...mail.request, prompt: undefined } as never }
  expect(aloud(bare)).toContain('Allow “\u2068Send an e-mail\u2069”?')
})
