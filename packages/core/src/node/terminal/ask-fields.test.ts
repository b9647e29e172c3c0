import { expect, test } from 'vitest'
import type { InputField } from '../../forms/fields/types.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'
import { askFields } from './ask-fields.ts'
import { question } from './testing/question.ts'

/** Types the lines one after another, and returns the answer and what was printed. */
async function asked(fields: InputField[], lines: string[]) {
  const printed: string[] = []
  const prompter = {
    print: (text: string) => void printed.push(text),
    discardTyped: () => {},
    readable: () => true,
    ended: new AbortController().signal,
    isExhausted: () => false,
    close: () => {},
    async line(prompt: string) {
      printed.push(prompt)
      const next = lines.shift()
      if (next === undefined) throw new Error(`no line for "${prompt}"`)
      return next
    },
  }
  const request = question('q', { interactionType: 'input', inputSchema: { type: 'form', fields } })
  const answer = await askFields(request as InteractionRequestEvent, prompter, new AbortController().signal)
  return { answer, shown: printed.join('\n'), left: lines }
}

const ways = [
  { value: 'p', label: 'Post' },
  { value: 'v', label: 'Visit' },
]
const delivery: InputField[] = [
  { id: 'how', type: 'radio', label: 'How', options: ways, required: true },
  { id: 'street', type: 'text', label: 'Street', required: true, group: 'Address', when: { field: 'how', is: 'p' } },
  { id: 'city', type: 'text', label: 'City', group: 'Address', when: { field: 'how', is: 'p' } },
  { id: 'at', type: 'date', label: 'Day', when: { field: 'how', is: 'v' } },
]

test('a field is asked only while its condition is met, and no other field is sent', async () => {
  const post = await asked(delivery, ['1', 'Main St 1', '', 'y'])
  expect(post.answer).toEqual({ action: 'submit', input: { how: 'p', street: 'Main St 1' } })
  expect(post.shown.match(/— Address —/g)).toHaveLength(1)
  const changed = await asked(delivery, ['1', 'Main St 1', 'Bonn', 'e', 'visit', '2026-01-31', 'y'])
  expect(changed.answer).toEqual({ action: 'submit', input: { how: 'v', at: '2026-01-31' } })
})

test('an option is selected by its number, its name or a part of it, and an ambiguous part lists the matches', async () => {
  const options = Array.from({ length: 40 }, (_, n) => ({ value: `c${n}`, label: `City ${n + 1}` }))
  const field: InputField = { id: 'city', type: 'select', label: 'City', options }
  const found = await asked([field], ['city 3', 'y'])
  expect(found.answer.input).toEqual({ city: 'c2' })
  const listed = await asked([field], ['ity 3', '34', 'y'])
  expect(listed.answer.input).toEqual({ city: 'c33' })
  expect(listed.shown).toContain('… and 25 more: type a part of the name')
  expect(listed.shown).toContain('  31  City 31')
  const part = await asked([field], ['y 40', 'y'])
  expect(part.answer.input).toEqual({ city: 'c39' })
})

test('an own answer, an amount, a date range and a phone number are read as on a page', async () => {
  const fields: InputField[] = [
    { id: 'how', type: 'select', label: 'How', options: ways, other: true },
    { id: 'fee', type: 'money', label: 'Fee', currency: 'EUR' },
    { id: 'stay', type: 'daterange', label: 'Stay', defaultValue: { from: '2026-01-31', to: '2026-02-03' } },
    { id: 'tel', type: 'phone', label: 'Phone' },
  ]
  const { answer, shown } = await asked(fields, ['By pigeon', '1.005', '12.50', '', '030 1', '+49 30 1234567', 'y'])
  expect(answer.input).toEqual({
    how: 'By pigeon',
    fee: 12.5,
    stay: { from: '2026-01-31', to: '2026-02-03' },
    tel: '+49301234567',
  })
  expect(shown).toContain('EUR has 2 decimals.')
  expect(shown).toContain('[2026-01-31/2026-02-03]')
  expect(shown).toContain('with its country code')
})

test('a required file is declined only if it is asked', async () => {
  const fields: InputField[] = [
    ...delivery.slice(0, 1),
    { id: 'plan', type: 'file', label: 'Plan', required: true, when: { field: 'how', is: 'v' } },
  ]
  expect((await asked(fields, ['1', 'y'])).answer).toEqual({ action: 'submit', input: { how: 'p' } })
  expect((await asked(fields, ['2'])).answer.action).toBe('decline')
})
