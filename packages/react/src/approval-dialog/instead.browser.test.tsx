/// <reference types="@vitest/browser-playwright" />
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

test('"Deny and say what to do instead" sends its text with the denial, and sends nothing without a text', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await userEvent.click(part('instead-toggle'))
  expect(document.activeElement).toBe(part('instead-input'))
  expect(part('deny-instead').textContent).toBe(part('deny').textContent)
  expect(part('deny').textContent).not.toBe('Deny')
  await userEvent.click(part('deny-instead'))
  expect(answers(client)).toEqual([])
  expect(part('instead').textContent).toContain('Say what should happen instead.')
  await userEvent.fill(part('instead-input'), 'Archive them')
  // Enter makes a line.
  await userEvent.keyboard('{Enter}first.')
  await userEvent.click(part('deny-instead'))
  expect(answers(client)).toEqual([['q1', { action: 'deny', reason: 'Archive them\nfirst.' }]])
})

test('a text about what to do instead is also sent by the button that denies, in place of a reason', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await userEvent.click(document.querySelector('[data-slot="reason"] summary')!)
  await userEvent.fill(part('reason-input'), 'Still in use')
  await userEvent.click(part('instead-toggle'))
  await userEvent.fill(part('instead-input'), 'Archive them')
  await userEvent.click(part('deny'))
  expect(answers(client)).toEqual([['q1', { action: 'deny', reason: 'Archive them' }]])
})

test('a text for a denial is not sent with an approval', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await userEvent.click(part('instead-toggle'))
  await userEvent.fill(part('instead-input'), 'Archive them')
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => answers(client)).toMatchObject([['q1', { action: 'approve' }]])
  expect(JSON.stringify(answers(client))).not.toContain('Archive')
})

test('a card that this person cannot answer offers no fields for an answer, and keeps a text that was typed before', async () => {
  let mayAnswer = false
  const { again } = await show(() => <ApprovalDialog interaction={approval()} mayAnswer={mayAnswer} />)
  expect(document.querySelector('[data-slot="reason"], [data-slot="instead"]')).toBeNull()
  mayAnswer = true
  await again()
  await userEvent.click(part('instead-toggle'))
  await userEvent.fill(part('instead-input'), 'Archive them')
  mayAnswer = false
  await again()
  expect((part('instead-input') as HTMLTextAreaElement).value).toBe('Archive them')
  expect(document.querySelector('[data-slot="reason"]')).toBeNull()
})
