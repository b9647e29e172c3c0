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

test('a card that a rule of its user answered names the rule and links to the settings of its tool', async () => {
  const change = vi.fn()
  await page('ada', change)
  expect(part('outcome').textContent).toContain('Allowed by your rule')
  await userEvent.click(button()!)
  expect(change).toHaveBeenCalledExactlyOnceWith('delete_files')
})

test('a card that a rule of another user answered has no link to settings, and neither has one in an app without settings', async () => {
  const { unmount } = await page('grace', vi.fn())
  expect(part('outcome').textContent).toContain('Allowed by a rule of')
  expect(button()).toBeNull()
  await unmount()
  await page('ada')
  expect(button()).toBeNull()
})
