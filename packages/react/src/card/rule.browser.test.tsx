import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { answered, approval } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'

const you = { userId: 'ada', can: ['respond'] as never }
const covered = (userId: string) => ({
  ...answered(approval(), { action: 'approve', coveredBy: 'q0' }, { here: false }),
  answeredBy: { clientId: 'client-2', userId },
})
const page = (userId: string, onChangeApprovals?: (tool: string) => void) => {
  const client = fakeClient({ interactions: [covered(userId)], state: { you } })
  const provider = onChangeApprovals ? { onChangeApprovals } : {}
  return show(<InteractionView interaction={covered(userId)} />, { client, provider })
}
const button = () => document.querySelector<HTMLButtonElement>('[data-slot="change-rule"]')

test('a card that the rule of its reader has answered names the rule, and leads to the settings of its tool', async () => {
  const change = vi.fn()
  await page('ada', change)
  expect(part('outcome').textContent).toContain('Allowed by your rule')
  await userEvent.click(button()!)
  expect(change).toHaveBeenCalledExactlyOnceWith('delete_files')
})

test('the rule of another user cannot be changed from the card, and nothing leads to settings that are not there', async () => {
  const { unmount } = await page('grace', vi.fn())
  expect(part('outcome').textContent).toContain('Allowed by a rule of')
  expect(button()).toBeNull()
  await unmount()
  await page('ada')
  expect(button()).toBeNull()
})
