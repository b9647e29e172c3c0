import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { world } from './support.ts'

type Typed = [name: string, value: string][]

/** A questionnaire, and a browser without JavaScript that posts each page back with its hidden inputs. */
async function asked(fields: readonly object[], more: object = {}, pageOptions: object = {}) {
  const here = world({}, pageOptions)
  const asking = here.session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'order' })
    .tryAsk({ prompt: 'Where to?', presentation: 'questionnaire', fields: fields as never, ...more })
  const { interactionId } = await here.human.next()
  const url = await here.linked(interactionId)
  const first = await (await here.get(url)).text()
  const post = async (page: string, action: string, typed: Typed = []) => {
    const reply = await here.post(url, [...carriedBy(page), ['action', action], ...typed])
    return { status: reply.status, page: await reply.text() }
  }
  const status = async () => (await here.holdpoint.interactions.get({ interactionId, sessionId: 'chat' }))?.status
  return { ...here, asking, first, post, status, url, interactionId }
}

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
const carriedBy = (page: string): Typed =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    decoded(name),
    decoded(value),
  ])
/** Changes one hidden input, as a person with developer tools does. */
const forged = (page: string, name: string, value: string) =>
  page.replace(new RegExp(`(name="${name}" value=")[^"]*"`), `$1${value}"`)
const drawn = (page: string) =>
  [...page.matchAll(/<(?:input|textarea|select)\b(?! type="hidden")[^>]* id="f\.([^"]*)"/g)].map(([, id]) => id)
const numberOf = (page: string) => /Step \d of \d/.exec(page.replace(/^[\s\S]*<body>/, ''))?.[0]

const contact = [
  { id: 'name', type: 'text', label: 'Name', required: true, maxLength: 8, group: 'You' },
  { id: 'mail', type: 'email', label: 'Mail', group: 'You' },
  { id: 'notes', type: 'textarea', label: 'Notes', group: 'Trip' },
  { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, defaultValue: 2, group: 'Trip' },
  { id: 'fee', type: 'money', label: 'Fee', currency: 'EUR', required: true, group: 'Pay' },
]

test('a questionnaire is asked group by group, validates the posted step only, and records nothing before the last step', async () => {
  const { asking, first, post, status } = await asked(contact)
  expect([numberOf(first), drawn(first)]).toEqual(['Step 1 of 3', ['name', 'mail']])
  expect(first).toContain('<title>Step 1 of 3 · ')
  const wrong = await post(first, 'next', [['f.mail', 'nobody']])
  expect([wrong.status, numberOf(wrong.page), drawn(wrong.page)]).toEqual([422, 'Step 1 of 3', ['name', 'mail']])
  expect(wrong.page).toContain('value="nobody"')
  expect(wrong.page.match(/class="error"/g)).toHaveLength(2)
  const two = await post(wrong.page, 'next', [
    ['f.name', 'Ada "&" B'.slice(0, 8)],
    ['f.mail', ''],
  ])
  expect([two.status, numberOf(two.page), drawn(two.page)]).toEqual([200, 'Step 2 of 3', ['notes', 'copies']])
  const three = await post(two.page, 'next', [
    ['f.notes', 'one\r\ntwo "3"'],
    ['f.copies', ''],
  ])
  expect([three.status, numberOf(three.page), drawn(three.page)]).toEqual([200, 'Step 3 of 3', ['fee']])
  expect(await status()).toBe('open')
  // The summary shows what is recorded: the default replaces the empty number.
  const summary = decoded(three.page)
    .match(/<h2>Your answers so far<\/h2>(.*?)<\/dl>/s)?.[1]
    ?.replace(/<[^>]*>/g, ' ')
  expect(summary?.replace(/\s+/g, ' ').trim()).toBe(
    `Name Ada "&" Mail ${english.nothingGiven} Notes one two "3" Copies 2`,
  )
  expect((await post(three.page, 'submit', [['f.fee', '12.50']])).status).toBe(303)
  expect(await asking).toMatchObject({
    outcome: 'submitted',
    input: { name: 'Ada "&" ', notes: 'one\ntwo "3"', copies: 2, fee: 12.5 },
  })
})

test('Back validates nothing and keeps what was typed, also in the steps after it', async () => {
  const { asking, first, post } = await asked(contact)
  const two = await post(first, 'next', [['f.name', 'Ada']])
  const three = await post(two.page, 'next', [['f.copies', '3']])
  const back = await post(three.page, 'back', [['f.fee', 'a lot']])
  expect([back.status, numberOf(back.page)]).toEqual([200, 'Step 2 of 3'])
  const start = await post(back.page, 'back', [['f.copies', '0']])
  expect([start.status, numberOf(start.page), start.page.includes('value="Ada"')]).toEqual([200, 'Step 1 of 3', true])
  expect(start.page).not.toContain('value="back"')
  const again = await post(start.page, 'next', [['f.name', 'Grace']])
  expect(again.page).toMatch(/id="f\.copies"[^>]* value="0"/)
  const last = await post(again.page, 'next', [['f.copies', '4']])
  expect(last.page).toMatch(/id="f\.fee"[^>]* value="a lot"/)
  expect((await post(last.page, 'submit', [['f.fee', '1']])).status).toBe(303)
  expect(await asking).toMatchObject({ input: { name: 'Grace', copies: 4, fee: 1 } })
})

test('a changed hidden value is rejected by the engine with the whole answer, and its error leads to its step', async () => {
  const { asking, first, post, status } = await asked(contact)
  const two = await post(first, 'next', [['f.name', 'Ada']])
  const three = await post(two.page, 'next', [['f.copies', '3']])
  const refused = await post(forged(three.page, 'f.name', 'A name beyond 8'), 'submit', [['f.fee', '2']])
  expect([refused.status, numberOf(refused.page), drawn(refused.page)]).toEqual([422, 'Step 1 of 3', ['name', 'mail']])
  expect(refused.page).toMatch(/id="f\.name-e"/)
  expect(refused.page).toContain('href="#f.name"')
  // Two wrong steps: each error is shown in its own step.
  const both = await post(forged(forged(three.page, 'f.name', 'A name beyond 8'), 'f.copies', '0'), 'submit', [
    ['f.fee', '2'],
  ])
  expect([both.page.includes('href="#f.name"'), both.page.includes('href="#f.copies"')]).toEqual([true, false])
  // A forged place in the form reaches no shorter way to an answer.
  const jumped = await post(forged(forged(first, 'step', '2'), 'stepFields', 'fee'), 'submit', [['f.fee', '2']])
  expect([jumped.status, numberOf(jumped.page)]).toEqual([422, 'Step 1 of 3'])
  for (const step of ['-1', '1e99', 'NaN', '', '2.5']) {
    const { status, page } = await post(forged(first, 'step', step), 'submit')
    expect([[200, 422].includes(status), drawn(page).length > 0], step).toEqual([true, true])
  }
  expect(await status()).toBe('open')
  const next = await post(refused.page, 'next', [['f.name', 'Ada']])
  const end = await post(next.page, 'next', [['f.copies', '3']])
  expect((await post(end.page, 'submit', [['f.fee', '2']])).status).toBe(303)
  expect(await asking).toMatchObject({ input: { name: 'Ada', copies: 3, fee: 2 } })
})

test('a step whose question has changed since an earlier step is shown again from the start', async () => {
  const { first, post, status } = await asked(contact)
  const two = await post(first, 'next', [['f.name', 'Ada']])
  const digest = (page: string) => carriedBy(page).find(([name]) => name === 'shownDigest')?.[1]
  expect(digest(two.page)).toBe(digest(first))
  for (const action of ['next', 'back', 'submit']) {
    const old = await post(forged(two.page, 'shownDigest', 'older'), action)
    expect([old.status, numberOf(old.page), old.page.includes('value="Ada"')]).toEqual([409, 'Step 1 of 3', false])
    expect(old.page).toContain(english.shownDiffers)
  }
  expect(await status()).toBe('open')
})

const options = [
  { value: 'p', label: 'Post' },
  { value: 'v', label: 'Visit' },
]
const delivery = [
  { id: 'how', type: 'radio', label: 'How', options, required: true },
  { id: 'street', type: 'text', label: 'Street', required: true, group: 'Address', when: { field: 'how', is: 'p' } },
  { id: 'box', type: 'checkbox', label: 'A box', group: 'Rest' },
  { id: 'color', type: 'text', label: 'Box color', group: 'Rest', when: { field: 'box' } },
]

test('steps follow earlier answers, and an answer to a step that disappeared is not sent', async () => {
  const { asking, first, post } = await asked(delivery)
  expect(numberOf(first)).toBe('Step 1 of 2')
  const address = await post(first, 'next', [['f.how', 'p']])
  expect([numberOf(address.page), drawn(address.page)]).toEqual(['Step 2 of 3', ['street']])
  const rest = await post(address.page, 'next', [['f.street', 'Main St 1']])
  // A field of the same step appears: the step is shown again before it is sent.
  const box = await post(rest.page, 'submit', [['f.box', 'true']])
  expect([box.status, numberOf(box.page), drawn(box.page)]).toEqual([200, 'Step 3 of 3', ['box', 'color']])
  expect(box.page).toContain(english.formChanged)
  const again = await post(box.page, 'back', [['f.box', 'true']])
  const start = await post(again.page, 'back', [['f.street', 'Main St 1']])
  expect(start.page).toMatch(/value="p" checked/)
  const shorter = await post(start.page, 'next', [['f.how', 'v']])
  expect([numberOf(shorter.page), drawn(shorter.page)]).toEqual(['Step 2 of 2', ['box', 'color']])
  expect(shorter.page).not.toMatch(/Street/)
  const typed: Typed = [
    ['f.box', 'true'],
    ['f.color', 'red'],
  ]
  expect((await post(shorter.page, 'submit', typed)).status).toBe(303)
  expect(await asking).toMatchObject({ input: { how: 'v', box: true, color: 'red' } })
})

test('a step that becomes the last one by its own answer is shown with the summary before it is sent', async () => {
  const { asking, first, post, status } = await asked([
    { id: 'name', type: 'text', label: 'Name' },
    { id: 'more', type: 'checkbox', label: 'More', defaultValue: true },
    { id: 'text', type: 'text', label: 'Text', when: { field: 'more' } },
  ])
  const two = await post(first, 'next', [['f.name', 'Ada']])
  expect(numberOf(two.page)).toBe('Step 2 of 3')
  const end = await post(two.page, 'next')
  expect([end.status, numberOf(end.page), await status()]).toEqual([200, 'Step 2 of 2', 'open'])
  expect(end.page).toContain(english.yourAnswers)
  expect(end.page).toContain('value="submit"')
  expect((await post(end.page, 'submit')).status).toBe(303)
  expect(await asking).toMatchObject({ input: { name: 'Ada', more: false } })
})

test('an answer that adds a step to a form of one step leads to that step instead of being sent', async () => {
  const { asking, first, post, status } = await asked([
    { id: 'how', type: 'radio', label: 'How', options, required: true },
    { id: 'floor', type: 'text', label: 'Floor', when: { field: 'how', is: 'p' } },
  ])
  expect([numberOf(first), first.includes('value="submit"')]).toEqual([undefined, true])
  const two = await post(first, 'submit', [['f.how', 'p']])
  expect([two.status, numberOf(two.page), await status()]).toEqual([200, 'Step 2 of 2', 'open'])
  expect((await post(two.page, 'submit', [['f.floor', '3']])).status).toBe(303)
  expect(await asking).toMatchObject({ input: { how: 'p', floor: '3' } })
})

test('a secret is asked in the last step, and no page contains it [P5.3]', async () => {
  const fields = [
    { id: 'key', type: 'secret', label: 'Key', required: true, group: 'Access' },
    { id: 'use', type: 'text', label: 'Use', group: 'Access', when: { field: 'key' } },
    { id: 'name', type: 'text', label: 'Name', required: true, group: 'You' },
    { id: 'copies', type: 'integer', label: 'Copies', required: true, group: 'Trip' },
  ]
  const { asking, first, post } = await asked(fields, {}, { linkMayAnswer: ['secrets'] })
  expect([numberOf(first), drawn(first)]).toEqual(['Step 1 of 3', ['name']])
  // A page of an attacker's making could contain it earlier: it is not carried on.
  const two = await post(first, 'next', [
    ['f.name', 'Ada'],
    ['f.key', 'hunter2'],
  ])
  expect([drawn(two.page), two.page.includes('hunter2')]).toEqual([['copies'], false])
  const three = await post(two.page, 'next', [['f.copies', '1']])
  expect([numberOf(three.page), drawn(three.page)]).toEqual(['Step 3 of 3', ['key']])
  // It opens another field, which is drawn below it. The secret has to be typed again.
  const more = await post(three.page, 'submit', [['f.key', 'hunter2']])
  expect([more.status, drawn(more.page), more.page.includes('hunter2')]).toEqual([200, ['key', 'use'], false])
  const refused = await post(forged(more.page, 'f.name', ''), 'submit', [['f.key', 'hunter2']])
  expect([refused.status, drawn(refused.page), refused.page.includes('hunter2')]).toEqual([422, ['name'], false])
  const back = await post(more.page, 'back', [['f.key', 'hunter2']])
  expect([drawn(back.page), back.page.includes('hunter2')]).toEqual([['copies'], false])
  const typed: Typed = [
    ['f.key', 'hunter2'],
    ['f.use', 'CI'],
  ]
  expect((await post(more.page, 'submit', typed)).status).toBe(303)
  expect(await asking).toMatchObject({
    input: { key: expect.stringMatching(/^secret:/), use: 'CI', name: 'Ada', copies: 1 },
  })
})

test('a secret in the last group stays with its group', async () => {
  const fields = [
    { id: 'name', type: 'text', label: 'Name', group: 'You' },
    { id: 'user', type: 'text', label: 'User', group: 'Access' },
    { id: 'key', type: 'secret', label: 'Key', group: 'Access' },
  ]
  const { first, post } = await asked(fields, {}, { linkMayAnswer: ['secrets'] })
  expect(numberOf(first)).toBe('Step 1 of 2')
  expect(drawn((await post(first, 'next')).page)).toEqual(['user', 'key'])
})

test('a link stays valid between steps, can be declined in any of them, and shows the outcome after that', async () => {
  const { asking, first, post, get, url } = await asked(contact)
  const two = await post(first, 'next', [['f.name', 'Ada']])
  expect((await get(url)).status).toBe(200)
  expect(numberOf((await post(first, 'next', [['f.name', 'Ada']])).page), 'a repeated post').toBe('Step 2 of 3')
  expect((await post(two.page, 'decline')).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'declined' })
  const late = await post(two.page, 'next')
  expect(late.page).toContain(english.youDeclined)
  expect(late.page).not.toContain('<form')
})

test('a question that is asked again with errors starts at their step', async () => {
  const { session, human, linked, get, post } = world()
  const asking = session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 't' }).requestInteraction({
    type: 'input',
    prompt: 'Where to?',
    presentation: 'questionnaire',
    inputSchema: delivery as never,
    whenUnavailable: 'wait',
    onResponse: (_answer, { attempt }) =>
      attempt === 1
        ? { reprompt: { error: 'Not there.', fieldErrors: { street: ['No such street.'] }, keepInput: true } as never }
        : { complete: 1 },
  })
  const first = await human.next()
  human.ignore(first)
  const before = await linked(first.interactionId)
  let filled = await (await get(before)).text()
  for (const typed of [
    ['f.how', 'p'],
    ['f.street', 'x'],
  ] as Typed) {
    filled = await (await post(before, [...carriedBy(filled), ['action', 'next'], typed])).text()
  }
  expect((await post(before, [...carriedBy(filled), ['action', 'submit']])).status).toBe(303)
  const second = await human.next()
  const url = await linked(second.interactionId)
  const page = await (await get(url)).text()
  expect(page).toContain('No such street.')
  expect(numberOf(page)).toBe('Step 2 of 3')
  const on = await (await post(url, [...carriedBy(page), ['action', 'next'], ['f.street', 'Main St']])).text()
  expect([numberOf(on), on.includes('Not there.')]).toEqual(['Step 3 of 3', false])
  expect((await post(url, [...carriedBy(on), ['action', 'submit']])).status).toBe(303)
  expect(await asking).toBe(1)
})

test('the summary shows each value as it is recorded, in the language of the page', async () => {
  const values: [type: string, extra: object, typed: string, shown: string][] = [
    ['checkbox', {}, 'true', 'Yes'],
    ['number', {}, '1234.5', '1,234.5'],
    ['date', {}, '2026-01-31', 'January 31, 2026'],
    ['datetime', {}, '2026-01-31T09:30', 'January 31, 2026 at 9:30 AM UTC'],
    ['phone', {}, '+49 30 1234567', '+49301234567'],
    ['select', { options }, 'v', 'Visit'],
    ['text', {}, '<b>bold\u202E', '<b>bold\\u{202e}'],
  ]
  const fields = values.map(([type, extra]) => ({ id: type, type, label: type, group: 'All', ...extra }))
  const { first, post } = await asked([...fields, { id: 'end', type: 'text', label: 'End' }])
  const typed = values.map(([type, , text]): [string, string] => [`f.${type}`, text])
  const { page } = await post(first, 'next', typed)
  const shown = [...page.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, text = '']) => decoded(text.replace(/<[^>]*>/g, '')))
  expect(shown.map((text) => text.replace(/\s/g, ' '))).toEqual(values.map(([, , , text]) => text))
})

test('a file that is not required does not stop the steps, and a required one is reported in its own step', async () => {
  const file = (required: boolean) => ({ id: 'file', type: 'file', label: 'Scan', required, group: 'Scan' })
  const rest = [{ id: 'name', type: 'text', label: 'Name' }]
  const free = await asked([file(false), ...rest])
  const two = await free.post(free.first, 'next')
  expect(numberOf(two.page)).toBe('Step 2 of 2')
  expect((await free.post(two.page, 'submit', [['f.name', 'Ada']])).status).toBe(303)
  const needed = await asked([file(true), ...rest])
  const stopped = await needed.post(needed.first, 'next')
  expect([stopped.status, numberOf(stopped.page)]).toEqual([422, 'Step 1 of 2'])
  expect(stopped.page).toMatch(/<input type="file" id="f\.file"/)
})

test('a form that is not a questionnaire, or that has one group, shows no steps', async () => {
  const plain = await asked(contact, { presentation: 'tool' })
  expect([numberOf(plain.first), drawn(plain.first).length]).toEqual([undefined, 5])
  const one = await asked(contact.slice(0, 2))
  expect([numberOf(one.first), one.first.includes('value="submit"')]).toEqual([undefined, true])
  expect((await one.post(one.first, 'submit', [['f.name', 'Ada']])).status).toBe(303)
})
