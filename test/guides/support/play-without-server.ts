import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A user answers the three cards of the guide, and loads the page again. */
export async function playWithoutServer(page: Page, url: string): Promise<void> {
  // No service answers at the address of the pop-up, and none is needed.
  await page.context().route('https://accounts.slack.example/**', (route) => route.fulfill({ body: 'Slack' }))
  await page.goto(url)
  const card = (text: string) => page.locator('[data-slot="card"]').filter({ hasText: text })
  const settled = page.locator('[data-slot="card"][data-state^="answered"]')
  const invitation = card('Whom shall I invite?')
  // A key counts at once; a click on a button that has just moved would not.
  await card('Delete 3 files?').locator('[data-slot="approve"]').press('Enter')
  await settled.filter({ hasText: 'Delete 3 files?' }).waitFor()

  await invitation.getByLabel('E-mail').fill('ada@exmaple.com')
  await invitation.getByRole('button', { name: 'Send' }).click()
  await page.getByText('No mail server answers for this address.').first().waitFor()
  expect(await invitation.getByLabel('E-mail').inputValue()).toBe('ada@exmaple.com')

  // The page is loaded again between the two answers: the form is still the second one.
  await page.reload()
  await settled.filter({ hasText: 'Delete 3 files?' }).waitFor()
  await page.getByText('No mail server answers for this address.').first().waitFor()
  await invitation.getByLabel('E-mail').fill('ada@example.com')
  await invitation.getByRole('button', { name: 'Send' }).click()
  await settled.filter({ hasText: 'Whom shall I invite?' }).waitFor()

  const popup = page.waitForEvent('popup')
  await card('Slack').getByRole('button', { name: 'Connect Slack' }).click()
  await popup
  await expect.poll(() => settled.count(), { timeout: 20_000 }).toBe(3)
  await page.reload()
  await expect.poll(() => settled.count(), { timeout: 20_000 }).toBe(3)
}
