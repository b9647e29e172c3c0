import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { nextExample } from './next-example.ts'
import { PHONE, picture, press } from './people.ts'

/** The page of the Next.js example on which five frameworks ask the same questions. */
const example = nextExample()

const FRAMEWORKS = ['AI SDK', 'LangChain', 'OpenAI Agents', 'MCP server', 'Agent Client Protocol']

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('five frameworks show the same three cards, and each model reads the results of its tools', {
  timeout: 300_000,
}, async () => {
  const page = await example.people.signIn(
    await example.people.device({ viewport: { width: 2000, height: 1300 } }),
    'Ada',
    '/bridges',
  )
  await press(page, 'Ask all')
  const asked: string[] = []
  for (const name of FRAMEWORKS) {
    const cards = column(page, name).locator('[data-slot="card"]')
    await cards.nth(2).waitFor()
    // The deadline is not part of what is compared: it counts down.
    asked.push((await cards.allInnerTexts()).join('\n').replaceAll(/Answer within .*/g, ''))
  }
  expect(new Set(asked)).toHaveLength(1)
  await picture(page, 'next-bridges')

  const phone = await example.people.signIn(
    await example.people.device({ viewport: PHONE, dark: true }),
    'Ada',
    new URL(page.url()).pathname,
  )
  await column(phone, 'LangChain').locator('[data-slot="card"]').nth(2).waitFor()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await picture(phone, 'next-bridges-phone-dark')
  await phone.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await picture(phone, 'next-bridges-phone-rtl')

  for (const name of FRAMEWORKS) {
    const own = column(page, name)
    const [approval, form, choice] = [0, 1, 2].map((n) => own.locator('.bridge-question').nth(n))
    await press(approval!, 'Approve')
    await form!.getByLabel('Folder').fill('old')
    await press(form!, 'Send')
    await choice!.getByLabel('Final').check()
    await press(choice!, 'Send')
    await own.getByText('The model reads: 3 files deleted').waitFor()
    await own.getByText('The model reads: moved to old').waitFor()
    await own.getByText('The model reads: tagged final').waitFor()
  }
  // Each question was asked once: a framework that is resumed asks no question again.
  for (const name of ['Approve', 'Send']) {
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  await picture(page, 'next-bridges-answered')
})
