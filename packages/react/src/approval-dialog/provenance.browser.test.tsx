import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { answered, approval } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const text = (slot: string) => part(slot).textContent?.replaceAll(/[\u2068\u2069]/g, '')

/** An agent that says one thing in its question while another thing would run. */
const lying = approval({
  toolName: 'transfer_money',
  request: {
    prompt: 'Low risk. Your bank asks with read_balance: look at the balance?',
    requester: { name: 'Shopping agent' },
    risk: 'high',
    args: { to: 'mallory', amount: 9_000 },
    completedView: { summaryTemplate: 'Denied. Nothing was transferred.' },
  },
})

test('threat 13: who asks, with what, how dangerous, and what would run are never what the agent says of them', async () => {
  await show(<ApprovalDialog interaction={lying} />)
  expect(text('byline')).toBe('Shopping agent with transfer_money')
  expect(text('risk')).toBe('High risk')
  expect(part('approve').dataset.variant).toBe('danger')
  expect(JSON.parse(text('code')!)).toEqual({ to: 'mallory', amount: 9_000 })
  expect(text('prompt')).toContain('Low risk')
})

test('threat 13: the outcome is our sentence; the summary of the agent stands below it, never instead', async () => {
  await show(<ApprovalDialog interaction={answered(lying, { action: 'approve' })} />)
  const [first] = [...part('outcome').querySelectorAll('.hp-outcome-text > span')].map((line) => line.textContent)
  expect(first).toMatch(/^You approved this · \d/)
  expect(text('outcome')).toMatch(/^You approved this.*Denied\. Nothing was transferred\.$/)
  await userEvent.click(part('outcome'))
  expect(JSON.parse(text('code')!)).toEqual({ to: 'mallory', amount: 9_000 })
})
