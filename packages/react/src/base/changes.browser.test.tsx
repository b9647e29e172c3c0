import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { answered, approval, diff } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'

const files = [
  { path: 'old.bin', status: 'deleted' as const, hunks: [] },
  { path: 'src/b.ts', oldPath: 'src/a.ts', status: 'renamed' as const, hunks: [] },
  { path: 'logo.png', hunks: [] },
  { ...diff[1]!, status: 'added' as const },
]
const fileTexts = () => [...document.querySelectorAll('.hp-diff-path')].map((file) => file.textContent)
const choices = () => [...document.querySelectorAll<HTMLElement>('[data-slot="diff-choice"]')]
const question = approval({ request: { diff: files } })

test('the change of each file is described in words, with the added and removed lines', async () => {
  await show(<ApprovalDialog interaction={question} />)
  const [deleted, renamed, binary, added] = fileTexts()
  expect(deleted).toContain('Deleted')
  expect(renamed).toContain('src/a.ts → src/b.ts')
  expect(renamed).toContain('Renamed')
  expect(binary).toContain('Binary file')
  expect(added).toContain('Added')
  expect(added).toContain('+1 −1')
  expect(added).toContain('1 line added, 1 removed')
})

test('a file without visible lines can be rejected by keyboard, and the answer names it', async () => {
  const { client } = await show(<ApprovalDialog interaction={question} />)
  const [first] = choices()
  expect(first!.querySelector('legend')!.textContent).toBe('The whole file old.bin')
  first!.querySelector<HTMLInputElement>('input:checked')!.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(first!.textContent).toContain('Rejected: stays as it is')
  expect(part('approve').textContent).toContain('3 of 4 changes')
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  const diffDecisions = { 'old.bin': 'reject', 'src/b.ts': 'accept', 'logo.png': 'accept', h3: 'accept' }
  expect(answers(client)).toEqual([['q1', expect.objectContaining({ action: 'approve', diffDecisions })]])
})

test('the record of a partial approval shows the decision on each change, in words and without controls', async () => {
  const diffDecisions = { 'old.bin': 'reject', 'src/b.ts': 'accept', 'logo.png': 'accept', h3: 'accept' } as const
  await show(<ApprovalDialog interaction={answered(question, { action: 'approve', diffDecisions })} />)
  await userEvent.click(part('outcome'))
  expect(document.querySelectorAll('input')).toHaveLength(0)
  expect(choices().map((choice) => choice.querySelector('.hp-hunk-decision')?.textContent)).toEqual([
    'Rejected: stays as it is',
    'Accepted',
    'Accepted',
    'Accepted',
  ])
})

test('the record of a denial shows no decisions on single changes', async () => {
  await show(<ApprovalDialog interaction={answered(question, { action: 'deny' })} />)
  await userEvent.click(part('outcome'))
  expect(document.querySelector('.hp-hunk-decision')).toBeNull()
})

test('a rejected change is dimmed, and none of its lines is struck through or shown as removed', async () => {
  await show(<ApprovalDialog interaction={approval({ request: { diff } })} />)
  await userEvent.click(choices()[0]!.querySelectorAll('input')[1]!)
  const line = document.querySelector<HTMLElement>('[data-decision="reject"] [data-sign="−"]')!
  const text = line.querySelector('.hp-line-text')!
  expect(getComputedStyle(text).textDecorationLine).toBe('none')
  expect(getComputedStyle(line).backgroundColor).toBe('rgba(0, 0, 0, 0)')
  expect(getComputedStyle(text).color).not.toBe(getComputedStyle(part('prompt')).color)
})

test('a change is one tab stop, and a second one only if it scrolls sideways', async () => {
  const long = { id: 'h9', oldStart: 1, newStart: 1, lines: [`+${'wide '.repeat(80)}`] }
  await show(<ApprovalDialog interaction={approval({ request: { diff: [...diff, { path: 'c', hunks: [long] }] } })} />)
  const stops = () => document.querySelectorAll('.hp-diff [tabindex="0"]').length
  await expect.poll(stops).toBe(1)
  expect(document.querySelector('.hp-diff section')).toBeNull()
  expect(document.querySelector('.hp-diff [tabindex="0"]')!.getAttribute('aria-label')).toBe('Change 1 of 1 in c')
})

test('the record of an edit shows the original and the approved arguments', async () => {
  const asked = approval({ request: { args: { to: 'ada', amount: 5_000 }, editable: true } })
  await show(<ApprovalDialog interaction={answered(asked, { action: 'approve', args: { to: 'ada', amount: 50 } })} />)
  await userEvent.click(part('outcome'))
  const lines = (sign: string) =>
    [...document.querySelectorAll(`[data-sign="${sign}"] .hp-line-text`)].map((line) => line.textContent!.trim())
  expect(part('arguments').textContent).toContain('What was approved, with changes')
  expect([lines('−'), lines('+')]).toEqual([['"amount": 5000'], ['"amount": 50']])
})
