import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { world } from './support.ts'

async function asked(fields: readonly object[]) {
  const here = world()
  const asking = here.session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'order' })
    .tryAsk({ prompt: 'Where to?', fields: fields as never })
  const { interactionId } = await here.human.next()
  const url = await here.linked(interactionId)
  const first = await (await here.get(url)).text()
  const post = async (page: string, typed: [string, string][]) => {
    const reply = await here.post(url, [...Object.entries(here.hidden(page)), ['action', 'submit'], ...typed])
    return { status: reply.status, page: await reply.text() }
  }
  return { asking, first, post }
}

const options = [
  { value: 'p', label: 'Post' },
  { value: 'v', label: 'Visit' },
]
const delivery = [
  { id: 'how', type: 'radio', label: 'How', options, required: true },
  { id: 'my street', type: 'text', label: 'Street', required: true, group: 'Address', when: { field: 'how', is: 'p' } },
  { id: 'city', type: 'text', label: 'City', group: 'Address', when: { field: 'how', is: 'p' } },
]

test('a page without JavaScript shows the form again when an answer changes its fields, and sends the fields that it showed', async () => {
  const { asking, first, post } = await asked(delivery)
  expect(first).not.toContain('Street')
  const second = await post(first, [['f.how', 'p']])
  expect(second.status).toBe(200)
  expect(second.page).toContain(english.formChanged)
  expect(second.page).toMatch(/<legend>.*Address.*<\/legend>/)
  expect(second.page).toMatch(/value="p" checked/)
  const refused = await post(second.page, [['f.how', 'p']])
  expect([refused.status, refused.page.includes('Give an answer.')]).toEqual([422, true])
  // The other choice makes the address disappear: nothing is sent before the person has seen that.
  const back = await post(refused.page, [
    ['f.how', 'v'],
    ['f.my street', 'Main St 1'],
  ])
  expect([back.status, back.page.includes('Street')]).toEqual([200, false])
  expect((await post(back.page, [['f.how', 'v']])).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'submitted', input: { how: 'v' } })
})

test('a page that claims to have shown other fields is validated by the same rule', async () => {
  const { asking, first, post } = await asked(delivery)
  const forged = first.replace(/name="drawn" value="[^"]*"/, 'name="drawn" value="how my%20street city"')
  const sent: [string, string][] = [
    ['f.how', 'v'],
    ['f.my street', 'Main St 1'],
  ]
  const { status, page } = await post(forged, sent)
  expect([status, page.includes(english.formChanged)]).toEqual([200, true])
  const bare = first.replace(/<input type="hidden" name="drawn"[^>]*>/, '')
  expect((await post(bare, sent)).page).toContain('This is not asked with your other answers.')
  expect((await post(page, [['f.how', 'v']])).status).toBe(303)
  expect(await asking).toMatchObject({ input: { how: 'v' } })
})

test('own options, an amount, a date range and a phone number are shown, kept after an error, and sent', async () => {
  const { asking, first, post } = await asked([
    { id: 'how', type: 'select', label: 'How', options, other: true },
    { id: 'extras', type: 'multiselect', label: 'Extras', options, other: true },
    { id: 'fee', type: 'money', label: 'Fee', currency: 'EUR' },
    { id: 'stay', type: 'daterange', label: 'Stay' },
    { id: 'tel', type: 'phone', label: 'Phone' },
  ])
  const typed: [string, string][] = [
    ['f.how', ''],
    ['o.how', 'By pigeon'],
    ['f.extras', 'p'],
    ['f.extras', ''],
    ['o.extras', 'Visit'],
    ['f.fee', '12.50'],
    ['f.stay.from', '2026-01-31'],
    ['f.stay.to', '2026-02-03'],
  ]
  const wrong = await post(first, [...typed, ['f.tel', '030 1']])
  expect(wrong.status).toBe(422)
  for (const kept of ['value="By pigeon"', 'value="12.5"', 'value="2026-02-03"', 'step="0.01"', 'value="030 1"']) {
    expect(wrong.page).toContain(kept)
  }
  expect((await post(wrong.page, [...typed, ['f.tel', '+49 30 1234567']])).status).toBe(303)
  expect(await asking).toMatchObject({
    input: {
      how: 'By pigeon',
      // The name of an option is that option, so that the record shows what was read.
      extras: ['p', 'v'],
      fee: 12.5,
      stay: { from: '2026-01-31', to: '2026-02-03' },
      tel: '+49301234567',
    },
  })
})
