import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
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

test('threat 13: arguments that try to deceive are shown as what they are', async () => {
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
    ['Note', 'x\\u202Ey'],
    ['Agreed', '"No"'],
    ['Count', '9,007,199,254,740,991'],
  ])
})

test('the exact JSON is one press away, and is what gets copied', async () => {
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

test('edited arguments are rows too, and each changed row is marked', async () => {
  const asked = approval({ request: { editable: true, args: { to: 'ada', amount: 5 } } })
  await show(<ApprovalDialog interaction={asked} />)
  await userEvent.click(part('edit'))
  await userEvent.fill(part('argument-editor'), '{"to":"ada","amount":7}')
  await userEvent.click(part('edit'))
  expect(rows()).toEqual([
    ['To', 'ada'],
    ['AmountChanged', '7'],
  ])
})

test('the first three texts of a card are the question, what will run, and what follows from it', async () => {
  await page.viewport(600, 900)
  const question = approval({
    toolName: 'delete_files',
    request: { risk: 'medium', facts: [{ label: 'Cannot be undone', tone: 'danger' }] },
  })
  await show(<ApprovalDialog interaction={question} />)
  expect(firstTexts(part('card'), 3)).toEqual([
    'Delete 3 files from the shared folder?',
    'drafts/notes.md drafts/old-plan.md drafts/scratch.txt',
    'Medium risk Cannot be undone',
  ])
  await page.viewport(414, 896)
})

/**
 * The blocks of a card in the order in which eyes find them: large before small, heavy before light, and then from top to
 * bottom. Quiet text, which is smaller than the card's own, and controls come last.
 */
function firstTexts(card: HTMLElement, count: number): string[] {
  const own = Number.parseFloat(getComputedStyle(card).fontSize)
  const blocks = [...card.querySelectorAll<HTMLElement>('[data-slot]')].filter((block) =>
    ['title', 'byline', 'prompt', 'readable', 'facts', 'actions', 'reason', 'about'].includes(block.dataset.slot!),
  )
  const weigh = (block: HTMLElement) => {
    const texts = [...block.querySelectorAll<HTMLElement>('bdi, p, span, li, summary')].filter(
      (one) => one.children.length === 0 && one.textContent?.trim() && !one.closest('dt'),
    )
    const styles = (texts.length ? texts : [block]).map((one) => getComputedStyle(one))
    const size = Math.max(...styles.map(({ fontSize }) => Number.parseFloat(fontSize)))
    const heading = block.getAttribute('role') === 'heading' ? 1 : 0
    const control = block.dataset.slot === 'actions' || block.dataset.slot === 'reason' ? 1 : 0
    const words = block.querySelectorAll('li').length ? [...block.querySelectorAll('li')] : [block]
    return {
      text: words.map((word) => word.textContent?.trim()).join(' '),
      rank: [-control, size >= own ? 1 : 0, heading, -block.getBoundingClientRect().top] as const,
    }
  }
  return blocks
    .map(weigh)
    .sort((a, b) => b.rank.map((value, at) => value - a.rank[at]!).find((difference) => difference !== 0) ?? 0)
    .slice(0, count)
    .map(({ text }) => text)
}
