/// <reference types="@vitest/browser-playwright" />
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { answered, form } from '../testing/interactions.ts'
import { answers, liveText, part, show } from '../testing/render.tsx'
import { delivery, special } from '../testing/special-fields.ts'
import { InputForm } from './input-form.tsx'

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
const labelled = (text: string) =>
  [...document.querySelectorAll('label')].find((label) => label.textContent?.startsWith(text))!
const asking = (fields: typeof delivery, request: object = {}, more: object = {}) =>
  form({ request: { inputSchema: { type: 'form', fields }, ...request }, ...more })
const ids = () => [...document.querySelectorAll('[data-slot="fields"] .hp-label')].map((each) => each.textContent)
const problems = () => [...document.querySelectorAll('.hp-problem')].map((each) => each.textContent)

test('a field is shown while its condition is met, and a hidden field keeps its input and is not sent', async () => {
  const { client } = await show(<InputForm interaction={asking(delivery)} />)
  expect(field('street')).toBeNull()
  await userEvent.click(labelled('By post'))
  await userEvent.fill(field('street'), 'Main St 1')
  await userEvent.fill(field('city'), 'Bonn')
  await userEvent.click(labelled('I collect it'))
  expect(field('street')).toBeNull()
  await userEvent.fill(field('days.from'), '2026-01-31')
  await userEvent.fill(field('days.to'), '2026-02-03')
  await userEvent.click(labelled('By post'))
  expect(field('street').value).toBe('Main St 1')
  await userEvent.click(labelled('I collect it'))
  await userEvent.fill(field('budget'), '12.5')
  await userEvent.click(part('submit'))
  const input = { how: 'pickup', days: { from: '2026-01-31', to: '2026-02-03' }, budget: 12.5 }
  expect(answers(client)).toEqual([['q1', { action: 'submit', input }]])
})

test('a questionnaire asks group by group, keeps answers when the user goes back, and shows all before it sends', async () => {
  const { client } = await show(<InputForm interaction={asking(delivery, { presentation: 'questionnaire' })} />)
  expect(ids()).toEqual(['Delivery (required)'])
  await userEvent.click(part('submit'))
  expect(problems()).toEqual(['Give an answer.'])
  await userEvent.click(labelled('By post'))
  expect(part('submit').textContent).toBe('Next')
  await userEvent.click(part('submit'))
  expect(part('step').textContent).toContain('Step 2 of 3')
  await expect.poll(() => document.activeElement).toBe(part('step'))
  await userEvent.fill(field('street'), 'Main St 1')
  await userEvent.fill(field('city'), 'Bonn')
  await userEvent.click(part('previous-step'))
  expect(ids()).toEqual(['Delivery (required)'])
  await userEvent.click(part('submit'))
  expect(field('city').value).toBe('Bonn')
  // Enter hands in the step, not the form.
  await userEvent.type(field('city'), '{Enter}')
  expect(part('step').textContent).toContain('Step 3 of 3')
  expect(part('answers').textContent).toContain('By post')
  expect(part('answers').textContent).toContain('Main St 1')
  expect(answers(client)).toEqual([])
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([
    ['q1', { action: 'submit', input: { how: 'post', street: 'Main St 1', city: 'Bonn' } }],
  ])
})

test('an error of the server leads to its step', async () => {
  const request = { presentation: 'questionnaire', initialValues: { how: 'post', street: 'x', city: 'Bonn' } }
  await show(
    <InputForm
      interaction={asking(delivery, { ...request, fieldErrors: { street: ['No such street.'] }, attempt: 2 })}
    />,
  )
  await expect.poll(() => part('step').textContent).toContain('Step 2 of 3')
  expect(problems()).toEqual(['No such street.'])
})

test('an option of a long list is found by typing and selected by keyboard, and Enter then does not submit the form', async () => {
  const { client } = await show(<InputForm interaction={asking(special.slice(0, 1))} />)
  const office = field('office')
  expect([office.getAttribute('role'), office.getAttribute('aria-expanded')]).toEqual(['combobox', 'false'])
  await userEvent.type(office, 'zur')
  expect(office.getAttribute('aria-expanded')).toBe('true')
  expect(part('search-count').textContent).toBe('1 choice')
  await userEvent.keyboard('{ArrowDown}')
  const active = document.getElementById(office.getAttribute('aria-activedescendant')!)
  expect(active?.textContent).toBe('Zürich')
  await userEvent.keyboard('{Enter}')
  expect([office.value, office.getAttribute('aria-expanded'), answers(client).length]).toEqual(['Zürich', 'false', 0])
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { office: 'z-rich' } }]])
})

test('a name that is typed completely selects the option, and any other text is kept and rejected', async () => {
  const { client } = await show(<InputForm interaction={asking(special.slice(0, 1))} />)
  await userEvent.fill(field('office'), 'Atlantis')
  await userEvent.keyboard('{Escape}')
  expect(field('office').value).toBe('Atlantis')
  await userEvent.click(part('submit'))
  expect(problems()).toEqual(['Choose one of the options.'])
  await userEvent.fill(field('office'), 'sao paulo')
  await userEvent.tab()
  expect(field('office').value).toBe('São Paulo')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { office: 's-o-paulo' } }]])
})

test('an own answer is sent as displayed, and a text that names an option selects the option', async () => {
  const { client } = await show(<InputForm interaction={asking(special.slice(2, 3))} />)
  await userEvent.click(labelled('Other…'))
  await userEvent.fill(field('topic.other'), 'costs')
  await userEvent.tab()
  expect(labelled('Costs').querySelector('input')?.checked).toBe(true)
  await userEvent.click(labelled('Other…'))
  await userEvent.fill(field('topic.other'), 'Parking')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { topic: 'Parking' } }]])
})

test('several options of a long list can be searched, and the selected ones stay in the list', async () => {
  const { client } = await show(<InputForm interaction={asking(special.slice(1, 2))} />)
  await userEvent.click(labelled('Oslo'))
  await userEvent.fill(part('search').querySelector('input')!, 'par')
  expect(part('search-count').textContent).toBe('1 choice')
  expect([...part('search').querySelectorAll('label')].map((each) => each.textContent)).toEqual(['Oslo', 'Paris'])
  await userEvent.click(labelled('Paris'))
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { also: ['oslo', 'paris'] } }]])
})

test('a phone number is shown as it will be sent, and an error names the missing part', async () => {
  const { client } = await show(<InputForm interaction={asking(special.slice(5))} />)
  await userEvent.fill(field('phone'), '030 1234567')
  await userEvent.click(part('submit'))
  expect(problems()[0]).toContain('with its country code')
  await userEvent.fill(field('phone'), '0049 30 1234567')
  expect(part('number-read').textContent).toContain('+49301234567')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { phone: '+49301234567' } }]])
})

test('the record shows amounts, days and names in the user’s locale, and no field that was hidden', async () => {
  const fields = [...delivery, ...special.slice(3, 5)]
  const input = { how: 'By pigeon', budget: 12_500.5, stay: { from: '2026-01-31', to: '2026-02-03' } }
  const request = { completedView: { showInputs: true } }
  await show(<InputForm interaction={answered(asking(fields, request), { action: 'submit', input })} />, {
    provider: { locale: 'de' },
  })
  const rows = [...document.querySelectorAll('[data-slot="values"] > div')].map((row) => row.textContent)
  expect(rows).toEqual([
    'DeliveryBy pigeon',
    'It may cost12.500,50\u00a0€',
    'FeeNothing given',
    'Stay31. Januar 2026 – 3. Februar 2026',
  ])
  expect(liveText()).toBe('')
})
