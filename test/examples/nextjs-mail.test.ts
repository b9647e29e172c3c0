import { expect, test } from 'vitest'
import { nextExample } from './next-example.ts'
import { card, line, look, PHONE, picture, say } from './people.ts'

/** Questions of the Next.js example that are answered from a mail. */
const example = nextExample()

const LIMIT = 180_000

test('a link from a mail is approved on a phone without JavaScript, and the open tab shows it', {
  timeout: LIMIT,
}, async () => {
  const desk = await example.people.device()
  const chat = await example.people.signIn(desk, 'Ada')
  await say(chat, 'delete')
  await card(chat).getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()

  const mail = await desk.newPage()
  await mail.goto(`${example.server.url}/mail`)
  // Nothing is sent while the chat is on a visible page.
  await mail.waitForTimeout(8_000)
  expect(await mail.getByRole('link', { name: /^Approval needed/ }).count()).toBe(0)
  await look(chat, 'away')
  await mail.getByRole('link', { name: /^Approval needed: Delete files/ }).click()
  await look(chat, 'back')
  const letter = mail.frameLocator('iframe[title="The mail"]')
  await letter.getByText('Delete 3 files?').last().waitFor()
  await picture(mail, 'next-mail')
  const link = (await letter.getByRole('link', { name: 'Review and answer' }).getAttribute('href')) ?? ''
  expect(link).toContain(`${example.server.url}/holdpoint/answer/`)

  const phone = await (await example.people.device({ viewport: PHONE, javaScript: false })).newPage()
  await phone.goto(link)
  await phone.getByText('drafts/a.md', { exact: true }).waitFor()
  await picture(phone, 'next-mail-phone')
  const seen = chat
    .locator('[data-slot="card"]')
    .getByText(/on another device/)
    .waitFor()
    .then(() => performance.now())
  const clicked = performance.now()
  await phone.getByRole('button', { name: 'Delete 3 files', exact: true }).click()
  console.log(`the open tab shows the answer ${Math.round((await seen) - clicked)} ms after the click on the phone`)
  await phone.getByRole('heading', { name: 'You approved this' }).waitFor()
  await line(chat, 'Done: 3 files deleted.').waitFor()
  await picture(chat, 'next-mail-answered')
})

test('a mail runs no script and loads nothing, its text is readable, and its page accepts the answer on a phone', {
  timeout: LIMIT,
}, async () => {
  const desk = await example.people.device()
  const chat = await example.people.signIn(desk, 'Ada')
  await say(chat, 'deploy')
  await card(chat).getByRole('button', { name: 'Roll back', exact: true }).waitFor()
  await look(chat, 'away')
  const mail = await desk.newPage()
  await mail.goto(`${example.server.url}/mail`)
  await mail.getByRole('link', { name: /Approval needed: Deploy/ }).click()
  await look(chat, 'back')

  const sandbox = await mail.locator('iframe[title="The mail"]').getAttribute('sandbox')
  expect(sandbox?.split(' ').sort()).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox'])
  const alone = await desk.newPage()
  const opened = await alone.goto(`${mail.url()}/html`)
  expect(opened?.headers()['content-security-policy']).toMatch(/^sandbox allow-popups .*default-src 'none'/)
  expect(await alone.evaluate(() => self.origin)).toBe('null')

  await mail.getByLabel('Plain text').check()
  await mail.getByText('Nothing happens until you answer.').waitFor()
  await mail.getByLabel('On a phone').check()
  const phone = mail.frameLocator('iframe[title="The answer page on a phone"]')
  await phone.getByText('replicas: 4').waitFor()
  await picture(mail, 'next-mail-phone-preview')
  await phone.getByRole('button', { name: 'Roll back', exact: true }).click()
  await phone.getByRole('heading', { name: 'You denied this' }).waitFor()
  await card(chat)
    .getByText(/on another device/)
    .waitFor()
})

test('a user sees no mail of another user', { timeout: LIMIT }, async () => {
  const ada = await example.people.device()
  const chat = await example.people.signIn(ada, 'Ada')
  await say(chat, 'survey')
  await card(chat).getByLabel('Good').waitFor()
  await look(chat, 'away')
  const mail = await ada.newPage()
  await mail.goto(`${example.server.url}/mail`)
  await mail
    .getByRole('link', { name: /Your answer is needed/ })
    .first()
    .click()
  await mail.waitForURL(/\/mail\/\d+$/)

  const grace = await example.people.signIn(await example.people.device(), 'Grace', '/mail')
  await grace.getByText('No mail yet.').waitFor()
  for (const address of [mail.url(), `${mail.url()}/html`]) expect((await grace.goto(address))?.status()).toBe(404)
  const stranger = await (await example.people.device()).newPage()
  expect((await stranger.goto(`${mail.url()}/html`))?.status()).toBe(404)
  expect((await stranger.goto(`${example.server.url}/api/mail`))?.status()).toBe(401)
})
