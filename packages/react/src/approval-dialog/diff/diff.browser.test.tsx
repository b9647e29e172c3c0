import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval, diff, largeDiff } from '../../testing/interactions.ts'
import { answers, liveText, part, show } from '../../testing/render.tsx'
import { ApprovalDialog } from '../approval-dialog.tsx'

const asking = (files = diff) =>
  approval({ request: { args: undefined, diff: files, approvalScopes: ['once', 'session'] } })
const named = (text: string) =>
  [...document.querySelectorAll('button')].find((button) => button.textContent === text) as HTMLButtonElement
const hunkWithFocus = () =>
  document.activeElement?.closest('[data-slot="diff-hunk"]')?.querySelector('legend')?.textContent

test('a diff starts with the total number of changes', async () => {
  await show(<ApprovalDialog interaction={asking()} />)
  expect(part('diff-summary').textContent).toBe('2 files+3 −33 lines added, 3 removed')
})

test('all changes can be rejected or accepted at once: the count is shown and announced, and the scope stays once', async () => {
  const { client } = await show(<ApprovalDialog interaction={asking()} />)
  // The region announces the question first. A click before that would be announced, and replaced by the question.
  await expect.poll(liveText).toContain('A question is waiting')
  await userEvent.click(named('Reject all'))
  expect(document.querySelectorAll('[data-decision="reject"]')).toHaveLength(3)
  await expect.poll(liveText).toBe('0 of 3 accepted')
  expect(part('hint').textContent).toContain('You rejected every change')
  expect(part('reject-all').ariaDisabled).toBe('true')
  await userEvent.click(document.querySelector('[data-slot="diff-hunk"] input')!)
  expect(part('diff').textContent).toContain('1 of 3 accepted')
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([
    ['q1', { action: 'approve', approvalScope: 'once', diffDecisions: { h1: 'accept', h2: 'reject', h3: 'reject' } }],
  ])
})

test('Alt and an arrow key move between changes, also into a folded file, and other keys are left to the page', async () => {
  await show(<ApprovalDialog interaction={asking(largeDiff)} />)
  const file = [...document.querySelectorAll<HTMLDetailsElement>('[data-slot="diff-file"]')].at(-1)!
  file.open = false
  part('diff').querySelector('input')!.focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}')
  expect(hunkWithFocus()).toContain('docs/prices.md')
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(hunkWithFocus()).toContain('data/cities.csv')
  await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{/Alt}')
  expect(hunkWithFocus()).toContain('src/old-prices.ts')
  expect(file.open).toBe(true)
  await userEvent.keyboard('{ArrowDown}')
  expect(hunkWithFocus()).toContain('src/old-prices.ts')
  expect(document.activeElement?.closest('[data-slot="diff-hunk"]')).toHaveProperty('dataset.decision', 'reject')
})

test('unchanged lines and long files are folded, open in place, and keep the focus on their button', async () => {
  await show(<ApprovalDialog interaction={asking(largeDiff)} />)
  expect(document.querySelectorAll('tr[data-sign="+"]')).toHaveLength(61)
  named('Show 1940 more lines').focus()
  await userEvent.keyboard('{Enter}')
  expect(document.querySelectorAll('tr[data-sign="+"]')).toHaveLength(2_001)
  expect(document.activeElement?.textContent).toBe('Show less')
  await userEvent.keyboard('{Enter}')
  expect(document.querySelectorAll('tr[data-sign="+"]')).toHaveLength(61)
  expect(document.activeElement?.textContent).toBe('Show 1940 more lines')
})

test('the later ones of forty files start folded, and each is one tab stop until it is opened', async () => {
  const files = Array.from({ length: 40 }, (_, at) => ({ ...diff[0]!, path: `f${at}.ts`, hunks: hunks(at) }))
  await show(<ApprovalDialog interaction={asking(files)} />)
  const open = document.querySelectorAll('details[data-slot="diff-file"][open]').length
  expect(open).toBeGreaterThan(5)
  expect(open).toBeLessThan(25)
  expect(part('card').getBoundingClientRect().height).toBeLessThan(8_000)
})

const hunks = (at: number) => diff[0]!.hunks.map((hunk) => ({ ...hunk, id: `${hunk.id}-${at}` }))

test.each([
  ['added', 'Added'],
  ['deleted', 'Deleted'],
  ['renamed', 'Renamed'],
  ['modified', 'Binary file: no lines to show'],
] as const)('a file without lines that is %s has the badge %s', async (status, text) => {
  await show(<ApprovalDialog interaction={asking([{ path: 'a.png', status, hunks: [] }])} />)
  expect(part('diff-file').textContent).toContain(text)
})
