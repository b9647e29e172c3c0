import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { goOffline } from '../support/go-offline.ts'
import { nextExample } from './next-example.ts'
import { card, line, once, PHONE, picture, press, say } from './people.ts'

/** The Next.js example, clicked through in a real browser as a person would. */
const example = nextExample({ HOLDPOINT_LATER_MS: '1500' })

const LIMIT = 180_000

test('a new chat offers examples, and an edited approval deletes only the remaining files', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await page.getByRole('heading', { name: 'An agent that asks first' }).waitFor()
  await picture(page, 'next-welcome')
  await page.getByRole('button', { name: /Delete old drafts/ }).click()
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await picture(page, 'next-approval')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  for (const name of ['notes/old.txt', 'drafts/b.md'])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
  await press(page, 'Delete 3 files with changes')
  await line(page, 'Done: 1 file deleted.').waitFor()
  await page.getByRole('link', { name: 'Delete old drafts' }).waitFor()
})

test('a denial changes nothing, and the agent is informed', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'delete')
  await press(page, 'Keep files')
  await line(page, 'Understood. Nothing was changed.').waitFor()
})

test('an approval for the chat covers the same request later', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'delete')
  await page
    .getByLabel('How long your approval counts')
    .selectOption({ label: 'In this chat, for exactly this request' })
  await press(page, 'Delete 3 files')
  await line(page, 'Done: 3 files deleted.').waitFor()
  await say(page, 'delete them again')
  await expect.poll(() => line(page, 'Done: 3 files deleted.').count(), { timeout: 40_000 }).toBe(2)
})

test('a form can be answered on a phone in dark mode', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device({ viewport: PHONE, dark: true }), 'Ada')
  await say(page, 'survey')
  await page.getByLabel('Good').check()
  await picture(page, 'next-form-phone-dark')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  for (const step of ['Next', 'Next', 'Send']) await press(card(page), step)
  await line(page, 'Thank you. A good week with 12 hours of deep work.').waitFor()
  await page.getByRole('button', { name: 'Chats' }).click()
  await page.getByRole('link', { name: 'Inbox' }).waitFor()
  await picture(page, 'next-menu-phone-dark')
})

test('an invalid address is asked again on the same card, and the input is kept', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'email')
  await page.getByLabel('E-mail address').fill('ada@elsewhere.org')
  await press(page, 'Send it')
  await page.getByText('Only addresses at example.com can be written to.').first().waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@elsewhere.org')
  expect(await page.locator('[data-slot="card"]').count()).toBe(1)
  await picture(page, 'next-reprompt')
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await press(page, 'Send it')
  await line(page, 'Sent to ada@example.com.').waitFor()
})

test('one account is connected in a popup, the second on the way to the report, and both are in the settings', {
  timeout: LIMIT,
}, async () => {
  const context = await example.people.device()
  const page = await example.people.signIn(context, 'Ada')
  const allow = async (name: string) => {
    const connect = page.getByRole('button', { name: `Connect ${name}`, exact: true })
    await connect.waitFor()
    const [popup] = await Promise.all([context.waitForEvent('page'), connect.click()])
    await popup.getByRole('button', { name: 'Allow' }).click()
  }
  await say(page, 'slack')
  await allow('Slack')
  await line(page, 'Posted to #general.').waitFor()
  await say(page, 'report')
  await page.getByRole('button', { name: 'Connect Gmail', exact: true }).waitFor()
  await picture(page, 'next-connect')
  await allow('Gmail')
  await line(page, 'The report is written, from slack and gmail.').waitFor()

  // The settings list both, a tool asks from now on, and an account that is disconnected is asked for again.
  await page.getByRole('link', { name: 'Settings' }).click()
  const accounts = page.locator('[data-slot="connected-accounts"]')
  await expect.poll(() => accounts.getByText('Connected as ada@example.com').count()).toBe(2)
  await page.getByRole('combobox').selectOption({ label: 'Ask every time' })
  await page.getByText('Saved. Post to Slack: Ask every time').waitFor()
  await accounts.getByRole('button', { name: 'Disconnect Slack' }).click()
  await accounts.getByText('Slack is disconnected.').waitFor()
  await page.goBack()
  await say(page, 'slack')
  await press(card(page).last(), 'Post it')
  await page.getByRole('button', { name: 'Connect Slack', exact: true }).waitFor()
})

test('a diff is reviewed after the tool has run', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'deploy')
  await page.getByText('deploy/production.yaml', { exact: true }).first().waitFor()
  await picture(page, 'next-diff')
  await press(page, 'Roll out')
  await line(page, 'web:4f2a9c is in production.').waitFor()
  await page.getByText(/^Log \(\d+\)$/).click()
  await page.locator('pre', { hasText: 'deployed to staging' }).waitFor()
})

test('a follow-up starts a new turn', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'later')
  await line(page, 'I continue with the rest. Answer whenever you like.').waitFor()
  await page.getByRole('textbox', { name: 'Color' }).fill('teal')
  await press(card(page), 'Send')
  expect(await once(page, 'The launch page will be teal.')).toBe(1)
  await line(page, 'Your answer arrived as a follow-up.').waitFor()
})

test('a message that is sent while the page still loads the history stays on the page', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await page.route('**/api/chat?sessionId=*', async (route) => {
    const response = await route.fetch()
    await page.waitForTimeout(1_500)
    await route.fulfill({ response }).catch(() => {})
  })
  await page.reload()
  await page.getByRole('heading', { name: 'An agent that asks first' }).waitFor()
  await page.waitForTimeout(300)
  await say(page, 'survey, please')
  await page.getByLabel('Good').waitFor()
  await page.waitForTimeout(2_000)
  expect(await page.locator('.message.user').count()).toBe(1)
})

test('any other message is answered in text', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Grace')
  await say(page, 'good morning')
  await page.getByText('I am a scripted agent.').waitFor()
})

test('a new message ends an open question, and the chat continues', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'survey')
  await page.getByLabel('Good').waitFor()
  await say(page, 'never mind')
  await page.getByText('I am a scripted agent.').waitFor()
  await line(page, 'not done').waitFor()
  expect(await page.getByLabel('Good').count()).toBe(0)
})

describe('a second message while the agent works on the first', () => {
  test.each([0, 40, 120, 250, 500])(
    'after %i ms is the only one that asks, and both stay in the chat',
    {
      timeout: LIMIT,
    },
    async (ms) => {
      const page = await example.people.signIn(await example.people.device(), 'Ada')
      await say(page, 'delete')
      await page.waitForTimeout(ms)
      await say(page, 'survey')
      await page.getByLabel('Good').waitFor()
      await page.waitForTimeout(1_500)
      for (const look of ['as it came', 'after a reload']) {
        if (look !== 'as it came') await page.reload()
        await page.getByLabel('Good').waitFor()
        expect(await page.locator('.message.user').allTextContents(), look).toEqual(['delete', 'survey'])
        expect(await page.getByRole('button', { name: 'Delete 3 files', exact: true }).count(), look).toBe(0)
        expect(await page.locator('.message:not(:has(*))').count(), look).toBe(0)
      }
    },
  )
})

describe('a message that cannot be sent', () => {
  const unsent = (page: Page) => page.getByText('Not sent yet. It is sent when the connection is back.')

  test('is kept while offline, and sent once after the reconnect, before later messages', {
    timeout: LIMIT,
  }, async () => {
    const context = await example.people.device()
    const page = await example.people.signIn(context, 'Ada')
    await page.getByText('live', { exact: true }).waitFor()
    await goOffline(page)
    await say(page, 'good morning')
    await unsent(page).waitFor()
    await say(page, 'survey')
    await expect.poll(() => unsent(page).count(), { timeout: 20_000 }).toBe(2)
    await picture(page, 'next-not-sent')
    await context.setOffline(false)
    await page.getByLabel('Good').waitFor()
    expect(await unsent(page).count()).toBe(0)
    expect(await page.locator('.problem').count()).toBe(0)
    await page.reload()
    await page.getByLabel('Good').waitFor()
    expect(await page.locator('.message.user').allTextContents()).toEqual(['good morning', 'survey'])
  })

  test('survives a reload', { timeout: LIMIT }, async () => {
    const page = await example.people.signIn(await example.people.device(), 'Ada')
    let isDown = true
    // A route that stays: Chromium loses requests that begin while Playwright removes one.
    await page.route('**/api/chat', (route) => (isDown ? route.abort() : route.continue()))
    await say(page, 'good morning')
    await unsent(page).waitFor()
    await page.reload()
    await unsent(page).waitFor()
    isDown = false
    await page.getByText('I am a scripted agent.').waitFor()
    expect(await unsent(page).count()).toBe(0)
    expect(await page.locator('.message.user').allTextContents()).toEqual(['good morning'])
    await page.reload()
    await page.getByText('I am a scripted agent.').waitFor()
    expect(await page.getByText('I am a scripted agent.').count()).toBe(1)
  })

  test('was sent if the connection breaks with its first response: the page continues after the reconnect', {
    timeout: LIMIT,
  }, async () => {
    const context = await example.people.device()
    const page = await example.people.signIn(context, 'Ada')
    await page.getByText('live', { exact: true }).waitFor()
    const chat = page.url()
    await page.route('**/api/chat', async (route) => {
      const response = await route.fetch()
      await goOffline(page)
      await route.fulfill({ response })
    })
    await say(page, 'good morning')
    await page.getByText('I am a scripted agent.').waitFor()
    await page.waitForTimeout(1_000)
    expect(page.url()).toBe(chat)
    expect(await unsent(page).count()).toBe(0)
    await page.unroute('**/api/chat')
    await context.setOffline(false)
    await page.locator('nav a[aria-current="page"]', { hasText: 'good morning' }).waitFor()
    expect(await page.getByText('I am a scripted agent.').count()).toBe(1)
  })

  test('is not answered twice if only the response was lost', { timeout: LIMIT }, async () => {
    const page = await example.people.signIn(await example.people.device(), 'Ada')
    let lost = 0
    await page.route('**/api/chat', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await say(page, 'good morning')
    await page.getByText('I am a scripted agent.').waitFor()
    await expect.poll(() => unsent(page).count()).toBe(0)
    await page.reload()
    await page.getByText('I am a scripted agent.').waitFor()
    expect(await page.getByText('I am a scripted agent.').count()).toBe(1)
  })

  test('the error about a broken stream disappears after the reconnect', { timeout: LIMIT }, async () => {
    const page = await example.people.signIn(await example.people.device(), 'Ada')
    await say(page, 'delete')
    await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
    await example.server.kill()
    await page.locator('.problem').waitFor()
    await example.server.start()
    await page.getByText('live', { exact: true }).waitFor()
    await page.locator('.problem').waitFor({ state: 'detached' })
  })
})

test('the pages have no accessibility violations', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device({ dark: true }), 'Ada')
  const axe = readFileSync('packages/react/node_modules/axe-core/axe.min.js', 'utf8')
  const problems = async (): Promise<string[]> => {
    await page.evaluate(axe)
    return await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document)
      return violations.map(({ id, nodes }) => `${location.pathname}: ${id}: ${nodes[0]?.html}`)
    })
  }
  await page.getByRole('heading', { name: 'An agent that asks first' }).waitFor()
  expect(await problems()).toEqual([])
  await say(page, 'deploy')
  await press(page, 'Roll back')
  await line(page, 'web:4f2a9c stays in staging.').waitFor()
  expect(await problems()).toEqual([])
  for (const path of ['/inbox', '/plain', '/suspend', '/login']) {
    await page.goto(`${example.server.url}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await problems()).toEqual([])
  }
})

interface Axe {
  run(page: Document): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}
