import type { Interaction } from '@holdpoint/core'
import { english } from '@holdpoint/core/messages'
import { describe, expect, test } from 'vitest'
import { numberLines } from '../approval-dialog/diff/diff-lines.tsx'
import { cutAt } from '../card/elements/code-block.tsx'
import { shownValue } from '../field/read-only-values.tsx'
import { answered, approval, connect, form, NOW } from '../testing/interactions.ts'
import { roundUp } from './duration.ts'
import { integrationName } from './names.ts'
import { outcomeOf } from './outcome-text.ts'
import { questionAloud } from './question-text.ts'
import { fillTemplate } from './template.ts'

describe('time left', () => {
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
  ] as const)('%i ms are shown in %ss: %i', (ms, unit, count) => {
    expect(roundUp(ms)).toMatchObject({ unit, count })
  })
  test('a text stays true until the next one is due', () => {
    expect(roundUp(61_000).staysMs).toBe(1_000)
    expect(roundUp(59_000).staysMs).toBe(9_000)
  })
})

describe('long text', () => {
  test('is cut by lines and by characters, and not for a little', () => {
    expect(cutAt('a\n'.repeat(14))).toBeNull()
    expect(cutAt(`${'a\n'.repeat(14)}b`)).toBeNull()
    const many = 'line\n'.repeat(60)
    expect(many.slice(0, cutAt(many)!).split('\n')).toHaveLength(14)
    expect(cutAt('x'.repeat(10_000))).toBe(1_600)
  })
})

test('lines of a hunk are numbered as in the files', () => {
  const lines = numberLines({ id: 'h', oldStart: 10, newStart: 20, lines: [' a', '-b', '+c', '+d\u202E', ' e'] })
  expect(lines.map(({ before, after }) => [before, after])).toEqual([
    [10, 20],
    [11, null],
    [null, 21],
    [null, 22],
    [12, 23],
  ])
  expect(lines.map(({ sign }) => sign).join('')).toBe(' −++ ')
  expect(lines[3]?.text).toBe('d\\u202E')
})

test('a template takes answers as text and nothing from elsewhere [T13.2]', () => {
  const { response } = answered(form(), {
    action: 'submit',
    input: { email: 'a@b.c', to: ['x', 'y'], o: { secret: 'no' } },
  })
  expect(fillTemplate('{{email}} {{ to }} {{o}}|{{constructor}}|{{__proto__}}|{{toolCallId}}', response)).toBe(
    'a@b.c x, y |||',
  )
})

test('a secret is set or not set, never shown', () => {
  const field = { id: 'k', type: 'secret', label: 'Key' } as const
  expect(shownValue(field, 'hunter2', english)).toBe('Set')
  expect(shownValue(field, undefined, english)).toBe('Not set')
})

test('the outcome of another user names the user, isolated', () => {
  const one = answered(form(), { action: 'submit' }, { here: false, name: 'A\u202Eda' })
  expect(outcomeOf(one, 'answered-elsewhere', english)).toBe('\u2068A\\u202Eda\u2069 answered this')
})

test('accounts that were connected elsewhere are connected, not answered', () => {
  const elsewhere = connect({ status: 'answered', answeredHere: false })
  expect(outcomeOf(elsewhere, 'answered-elsewhere', english)).toBe('Connected. The task continues.')
})

test('an id is made readable', () => expect(integrationName('google-calendar')).toBe('Google Calendar'))

test('an id that every object has is not taken for a name of the application', () =>
  expect(integrationName('constructor', { integrations: {} })).toBe('Constructor'))

test('an announcement calls tools and accounts as the application does, like the heading of the card', () => {
  const names = { tools: { send_email: { name: 'Send an e-mail' } }, integrations: { slack: { name: 'Acme chat' } } }
  const one = connect({ request: { integrations: ['slack'], reason: 'To post the summary.' } })
  const aloud = (it: Interaction) => questionAloud(it, english, { ...names, now: NOW, locale: 'en' })
  expect(aloud(one)).toContain('Connect Acme chat. To post the summary.')
  const mail = approval({ toolName: 'send_email' })
  const bare = { ...mail, request: { ...mail.request, prompt: undefined } as never }
  expect(aloud(bare)).toContain('Allow \u2068Send an e-mail\u2069?')
})
