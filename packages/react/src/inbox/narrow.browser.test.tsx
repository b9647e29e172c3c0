import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answersOnly, inboxItems } from '../testing/inbox-items.ts'
import { part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'

/** The inbox where there is little room, and requests that are reviewed together. */
const controls = () =>
  [...part('inbox').querySelectorAll<HTMLElement>('button, input, select')].filter((one) => one.checkVisibility())
const before = (list: Element) =>
  controls().filter((one) => one.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING)

beforeEach(() => page.viewport(360, 740))

test('on a phone one button precedes the questions; it shows the search and the filters, and counts those in use', async () => {
  // Five questions, of which none can be approved together.
  const items = inboxItems(5).filter((_, n) => n > 1)
  await show(<Inbox undoMs={0} items={items} transport={answersOnly().transport} />)
  const list = part('inbox-list')
  const fold = part('inbox-fold')
  expect(before(list)).toEqual([fold])
  expect([fold.getAttribute('aria-expanded'), fold.textContent]).toEqual(['false', 'Search and filter'])
  await userEvent.click(fold)
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  expect(document.getElementById(fold.getAttribute('aria-controls')!)).toBe(part('inbox-tools'))
  expect(before(list)).toHaveLength(5)
  await userEvent.selectOptions(page.getByLabelText('Show'), 'High risk')
  await userEvent.click(fold)
  expect(before(part('inbox-list'))).toEqual([fold])
  // A folded filter is still named.
  expect(fold.textContent).toBe('Search and filter · 1')
})

test('with room the search and the filters are shown, and the button is not', async () => {
  await page.viewport(1280, 900)
  await show(<Inbox undoMs={0} items={inboxItems(5)} transport={answersOnly().transport} />)
  expect([part('inbox-fold').checkVisibility(), part('inbox-tools').checkVisibility()]).toEqual([false, true])
})

test.each([360, 1280])('twelve similar requests state at %d px what they share once', async (width) => {
  await page.viewport(width, 900)
  await show(<Inbox undoMs={0} items={inboxItems(30)} transport={answersOnly().transport} />)
  await userEvent.click(page.getByRole('button', { name: 'Review all 12' }))
  await expect.poll(() => document.querySelectorAll('[data-slot="inbox-batch"] li').length).toBe(12)
  const batch = part('inbox-batch')
  const times = (text: string) => batch.textContent!.split(text).length - 1
  expect([times('Research agent'), times('Exact request')]).toEqual([1, 1])
  // The name of an argument is seen once, as the heading of its column. Screen readers read it in each row.
  const names = [...batch.querySelectorAll<HTMLElement>('dt')]
  expect(names.map(({ textContent }) => textContent)).toEqual(Array.from({ length: 12 }, () => 'Path'))
  expect(names.filter(({ offsetWidth }) => offsetWidth > 1)).toHaveLength(1)
  const values = [...batch.querySelectorAll('dd')].map((one) => one.getBoundingClientRect().left)
  expect(new Set(values).size).toBe(1)
  // One press shows the JSON of all requests.
  await userEvent.click(page.getByRole('button', { name: 'Exact request' }))
  await expect.poll(() => batch.querySelectorAll('pre').length).toBe(12)
  expect(batch.textContent!).toContain('"path": "reports/26.csv"')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})
