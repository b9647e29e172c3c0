import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { nextExample } from './next-example.ts'
import { line, say } from './people.ts'

/** Every flow of the Next.js example by keyboard alone. Focus is always visible, and is never lost to the page. */
const example = nextExample({ HOLDPOINT_LATER_MS: '1500' })

const LIMIT = 180_000
/** More stops than any page here has. */
const STOPS = 80

interface Focus {
  name: string
  role: string
  isVisible: boolean
}

/** Returns the focused control and whether its focus is drawn. Null: the page itself. */
const focusOf = (page: Page): Promise<Focus | null> =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement) || at === document.body) return null
    const marked = (one: Element | null) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    }
    const ids = at.getAttribute('aria-labelledby')?.split(' ') ?? []
    const named = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const { labels } = at as HTMLInputElement
    const label = labels?.[0]?.textContent
    const text =
      at.getAttribute('aria-label') ?? (named || label || at.querySelector('bdi')?.textContent || at.textContent)
    return {
      name: (text || at.getAttribute('title') || '')
        .replace(/[\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
      role: at.getAttribute('role') ?? at.dataset.slot ?? at.tagName.toLowerCase(),
      isVisible: marked(at) || marked(at.parentElement) || marked(at.closest('label')),
    }
  })

/** Moves with Tab to the control with this name. Each stop on the way shows its focus. */
async function reach(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS; stop++) {
    const focus = await focusOf(page)
    if (focus && (typeof name === 'string' ? focus.name === name : name.test(focus.name))) {
      expect(focus.isVisible, `focus of ${focus.role} “${focus.name}” is drawn`).toBe(true)
      return
    }
    if (focus) passed.push(`${focus.role} “${focus.name.slice(0, 40)}”${focus.isVisible ? '' : ' (not drawn)'}`)
    await page.keyboard.press(key)
  }
  throw new Error(`No stop named ${name}. Passed:\n${passed.join('\n')}`)
}

/** Focus is somewhere, and visible. React moves it after the change that took its control away. */
async function keepsFocus(page: Page, when: string): Promise<void> {
  await expect
    .poll(() => focusOf(page), { timeout: 20_000, message: `focus ${when}` })
    .toMatchObject({ isVisible: true })
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, name)
  await page.keyboard.press('Enter')
}

/** Signs in with a click, which is another test's subject, and writes one message. */
async function chat(text: string, context?: BrowserContext): Promise<Page> {
  const page = await example.people.signIn(context ?? (await example.people.device()), 'Ada')
  await page.getByLabel('Message', { exact: true }).focus()
  await say(page, text)
  return page
}

test('an approval can be given by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await keepsFocus(page, 'when the question arrives')
  await reach(page, 'Delete 3 files', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await line(page, 'Done: 3 files deleted.').waitFor()
  await keepsFocus(page, 'after the approval')
})

test('a denial with a text about what to do instead can be given by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await reach(page, 'Deny and say what to do instead', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await keepsFocus(page, 'in the opened field')
  await page.keyboard.type('Only the oldest one.')
  await press(page, 'Keep files')
  await page.locator('[data-slot="outcome"]').waitFor()
  await keepsFocus(page, 'after the denial')
})

test('a form in several steps can be completed by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('survey')
  await page.getByLabel('Good').waitFor()
  await keepsFocus(page, 'when the form arrives')
  // Backwards, Tab enters a group of radio buttons at its end; the arrow goes from there to the first.
  await reach(page, /^Hard/, 'Shift+Tab')
  await page.keyboard.press('ArrowDown')
  expect(await focusOf(page)).toMatchObject({ name: expect.stringMatching(/^Good/), isVisible: true })
  for (const step of ['Next', 'Next', 'Send']) {
    await press(page, step)
    await keepsFocus(page, `after “${step}”`)
  }
  await line(page, 'Thank you. A good week with 12 hours of deep work.').waitFor()
  await keepsFocus(page, 'after the form')
})

test('a rejected form can be corrected and sent again by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('email')
  await page.getByLabel('E-mail address').waitFor()
  await reach(page, /^E-mail address/, 'Shift+Tab')
  await page.keyboard.type('ada@elsewhere.org')
  await page.keyboard.press('Enter')
  await page.getByText('Only addresses at example.com can be written to.').first().waitFor()
  await expect.poll(() => focusOf(page)).toMatchObject({ name: expect.stringMatching(/^E-mail address/) })
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Enter')
  await line(page, 'Sent to ada@example.com.').waitFor()
  await keepsFocus(page, 'after the form')
})

test('an account can be connected by keyboard', { timeout: LIMIT }, async () => {
  const context = await example.people.device()
  const page = await chat('slack', context)
  await page.getByRole('button', { name: 'Connect Slack', exact: true }).waitFor()
  await reach(page, 'Connect Slack', 'Shift+Tab')
  const [popup] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')])
  await popup.getByRole('button', { name: 'Allow' }).focus()
  await popup.keyboard.press('Enter')
  await line(page, 'Posted to #general.').waitFor()
  await keepsFocus(page, 'after the account is connected')
})

test('the larger view and its diff can be opened and closed by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('deploy')
  await page.getByText('deploy/production.yaml', { exact: true }).first().waitFor()
  await reach(page, 'Open in a larger view', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await keepsFocus(page, 'in the larger view')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await keepsFocus(page, 'after the larger view')
  await press(page, 'Roll back')
  await line(page, 'web:4f2a9c stays in staging.').waitFor()
  await keepsFocus(page, 'after the answer')
})

test('a question in the inbox can be answered, undone and answered again by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await press(page, /^Inbox/)
  await page.getByRole('listbox').waitFor()
  await reach(page, /^Questions: /)
  // The newest question is the last one.
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusOf(page)).toMatchObject({ role: 'heading' })
  await press(page, 'Keep files')
  await page.locator('[data-slot="inbox-held"]').waitFor()
  await keepsFocus(page, 'while the answer is held')
  await press(page, 'Undo')
  await page.locator('[data-slot="deny"]').waitFor()
  await keepsFocus(page, 'after “Undo”')
  await press(page, 'Keep files')
  await page.locator('[data-slot="inbox-held"]').waitFor()
  await press(page, /^Send now/)
  await page.locator('[data-slot="outcome"]').waitFor()
  await keepsFocus(page, 'after “Send now”')
})

test('a remembered approval can be revoked in the settings by keyboard', { timeout: LIMIT }, async () => {
  const page = await chat('delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await reach(page, 'How long your approval counts', 'Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await reach(page, 'Delete 3 files', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await line(page, 'Done: 3 files deleted.').waitFor()
  await press(page, 'Settings')
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await press(page, /^Ask me again/)
  await page.getByRole('button', { name: /^Ask me again/ }).waitFor({ state: 'detached' })
  await keepsFocus(page, 'after the approval is revoked')
})
