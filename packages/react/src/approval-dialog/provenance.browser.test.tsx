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
    labels: { approve: 'Transfer 9000', deny: 'Keep the money' },
    args: { to: 'mallory', amount: 9_000 },
    completedView: { summaryTemplate: 'Denied. Nothing was transferred.' },
  },
})

test('threat 13: requester, tool, risk and arguments on a card never come from the text of the agent', async () => {
  await show(<ApprovalDialog interaction={lying} />)
  expect(text('byline')).toBe('Shopping agent · Transfer money')
  expect(text('risk')).toBe('High risk')
  expect(text('readable')).toBe('TomalloryAmount9000')
  await userEvent.click(part('exact'))
  expect(JSON.parse(text('code')!)).toEqual({ to: 'mallory', amount: 9_000 })
  expect(text('prompt')).toContain('Low risk')
})

test("threat 13: the outcome is a text of Holdpoint, and the agent's summary is shown only below it", async () => {
  await show(<ApprovalDialog interaction={answered(lying, { action: 'approve' })} />)
  const [first] = [...part('outcome').querySelectorAll('.hp-outcome-text > span')].map((line) => line.textContent)
  expect(first).toMatch(/^Approved: \u2068?Transfer 9000\u2069? · you · \d/)
  expect(text('outcome')).toMatch(/^Approved: Transfer.*Denied\. Nothing was transferred\.$/)
  await userEvent.click(part('outcome'))
  await userEvent.click(part('exact'))
  expect(JSON.parse(text('code')!)).toEqual({ to: 'mallory', amount: 9_000 })
})
