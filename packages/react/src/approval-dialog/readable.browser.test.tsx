import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { firstTexts } from '../testing/checks/first-texts.ts'
import { approval } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const rows = () =>
  [...part('readable').querySelectorAll(':scope > dl > [data-slot="argument"]')].map((row) => [
    row.querySelector('dt')!.textContent,
    row.querySelector('dd')!.textContent,
  ])

test('arguments are rows in the language of the provider', async () => {
  const args = { to: ['ada@example.com', 'grace@example.org'], send_at: '2026-03-05', amount: 12500.5, notify: false }
  await show(<ApprovalDialog interaction={approval({ request: { args } })} />, {
    provider: { locale: 'de', messages: { ...english, no: 'Nein' } },
  })
  expect(rows()).toEqual([
    ['To', 'ada@example.comgrace@example.org'],
    ['Send at', '5. März 2026'],
    ['Amount', '12.500,5'],
    ['Notify', 'Nein'],
  ])
})

test('threat 13: arguments that try to deceive are shown with their escapes', async () => {
  const args = {
    firstName: 'a',
    first_name: 'b',
    'p\u0430y': 1,
    note: 'x\u202Ey',
    agreed: 'No',
    count: 9007199254740991,
  }
  await show(<ApprovalDialog interaction={approval({ request: { args } })} />)
  expect(rows()).toEqual([
    ['First name firstName', 'a'],
    ['First name first_name', 'b'],
    ['P\u0430y "p\\u{430}y"', '1'],
    ['Note', 'x\\u{202e}y'],
    ['Agreed', '"No"'],
    ['Count', '9,007,199,254,740,991'],
  ])
})

test('the exact JSON is shown after one press and can be copied', async () => {
  const copied: string[] = []
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  })
  const args = { amount_cents: 1249900, currency: 'EUR' }
  await show(<ApprovalDialog interaction={approval({ request: { args } })} />)
  expect(rows()).toEqual([['Amount', 'EUR\u00a012,499.00']])
  await userEvent.click(part('exact'))
  expect(part('exact').getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(part('copy'))
  expect(copied.map((text) => JSON.parse(text))).toEqual([args])
  Reflect.deleteProperty(navigator, 'clipboard')
})

test('edited arguments are shown as rows, and each changed row is marked', async () => {
  const asked = approval({ request: { editable: true, args: { to: 'ada', amount: 5 } } })
  await show(<ApprovalDialog interaction={asked} />)
  await userEvent.click(part('edit'))
  await userEvent.click(part('edit-as'))
  await userEvent.fill(part('argument-editor'), '{"to":"ada","amount":7}')
  await userEvent.click(part('edit'))
  expect(rows()).toEqual([
    ['To', 'ada'],
    ['AmountChanged', '7'],
  ])
})

test('the first three texts of a card are the question, the arguments, and the consequences', async () => {
  await page.viewport(600, 900)
  const question = approval({
    toolName: 'delete_files',
    request: { risk: 'medium', facts: [{ label: 'Cannot be undone', tone: 'danger' }] },
  })
  await show(<ApprovalDialog interaction={question} />)
  expect(firstTexts(part('card'), 3).map(({ text }) => text)).toEqual([
    'Delete 3 files from the shared folder?',
    'drafts/notes.md drafts/old-plan.md drafts/scratch.txt',
    'Medium risk Cannot be undone',
  ])
  await page.viewport(414, 896)
})
