import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { applyPatch } from './apply-patch.ts'
import { nextExample } from './next-example.ts'
import { card, line, once, picture, press, say } from './people.ts'

/** The Next.js example with several tabs and people, and with a server that dies. */
const example = nextExample()

const LIMIT = 180_000
const DONE = 'Done: 3 files deleted.'

test('an answer in a second tab continues both tabs once, and the first shows that the same user answered', {
  timeout: LIMIT,
}, async () => {
  const context = await example.people.device()
  const first = await example.people.signIn(context, 'Ada')
  await say(first, 'delete')
  await first.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  const second = await context.newPage()
  await second.goto(first.url())
  await press(second, 'Delete 3 files')
  for (const page of [first, second]) expect(await once(page, DONE)).toBe(1)
  await first.getByText(/Approved: .*Delete 3 files.* · you · /).waitFor()
  expect(await first.getByRole('button', { name: 'Delete 3 files', exact: true }).count()).toBe(0)
  await picture(first, 'next-elsewhere')
})

test('a message from one tab appears in the other', { timeout: LIMIT }, async () => {
  const context = await example.people.device()
  const first = await example.people.signIn(context, 'Ada')
  const second = await context.newPage()
  await second.goto(first.url())
  await second.getByText('live', { exact: true }).waitFor()
  await say(first, 'hello over there')
  await line(second, 'hello over there').last().waitFor()
  await second.getByText('I am a scripted agent.').waitFor()
})

test('another user is rejected by the page, its messages and its answers', { timeout: LIMIT }, async () => {
  const ada = await example.people.signIn(await example.people.device(), 'Ada')
  await say(ada, 'survey')
  await ada.getByLabel('Good').waitFor()
  const id = new URL(ada.url()).pathname.split('/').at(-1)
  const other = await example.people.device()
  const grace = await example.people.signIn(other, 'Grace', `/chat/${id}`)
  await grace.getByRole('heading', { name: 'There is no such chat.' }).waitFor()
  await picture(grace, 'next-refused')
  // Like a session that does not exist yet: empty.
  const answers = await Promise.all([
    other.request.get(`${example.server.url}/holdpoint/sessions/${id}`),
    other.request.get(`${example.server.url}/api/chat?sessionId=${id}`),
    other.request.post(`${example.server.url}/api/chat`, { data: { sessionId: id, message: 'delete' } }),
  ])
  expect(answers.map((answer) => answer.status())).toEqual([200, 404, 404])
  expect(await answers[0]?.json()).toMatchObject({ cursor: '0.0.0', runs: [], interactions: [] })
  expect(
    (await other.request.get(`${example.server.url}/holdpoint/inbox`).then((answer) => answer.json())).items,
  ).toEqual([])
})

test('an answer counts once if the server was killed and restarted while the question was open', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await example.server.kill()
  await page.getByText(/reconnecting|offline/, { exact: true }).waitFor()
  await picture(page, 'next-killed')
  await example.server.start()
  await page.getByText('live', { exact: true }).waitFor()
  await press(page, 'Delete 3 files')
  expect(await once(page, DONE)).toBe(1)
  await page.reload()
  expect(await once(page, DONE)).toBe(1)
})

test('a page that is reloaded shows the card at the same place, and the agent continues', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'email')
  await page.getByLabel('E-mail address').waitFor()
  await page.reload()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await press(page, 'Send it')
  expect(await once(page, 'Sent to ada@example.com.')).toBe(1)
})

test('the inbox lists the questions of all chats, and they can be answered there', { timeout: LIMIT }, async () => {
  const context = await example.people.device()
  const chats = [await example.people.signIn(context, 'Grace'), await context.newPage()]
  await chats[1]?.goto(example.server.url)
  for (const chat of chats) {
    await say(chat, 'delete')
    await chat.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  }
  const inbox = await context.newPage()
  await inbox.goto(`${example.server.url}/inbox`)
  await expect.poll(() => inbox.locator('[role="option"]').count(), { timeout: 40_000 }).toBe(2)
  await inbox.getByRole('link', { name: /Inbox\s*2/ }).waitFor()
  await picture(inbox, 'next-inbox')
  await press(inbox.locator('[data-slot="card"]').first(), 'Delete 3 files')
  await expect
    .poll(async () => (await Promise.all(chats.map((chat) => line(chat, DONE).count()))).toSorted(), {
      timeout: 40_000,
    })
    .toEqual([0, 1])
})

test('an approval for always is remembered, and asked again after it was revoked in the settings', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await card(page).getByLabel('How long your approval counts').selectOption('always')
  await press(card(page), 'Delete 3 files')
  expect(await once(page, DONE)).toBe(1)
  // Not asked again.
  await say(page, 'delete')
  await expect.poll(() => line(page, DONE).count(), { timeout: 40_000 }).toBe(2)
  // The call shows what allowed it, also after a reload.
  const rule = page.locator('[data-slot="settled"]').getByText(/^Allowed by your rule: .*Delete 3 files/)
  await rule.waitFor()
  await page.reload()
  await rule.waitFor()
  await picture(page, 'next-rule')
  // It leads to the place where the rule can be changed.
  await press(page, 'Change your rule')
  const remembered = page.locator('[data-slot="remembered-approvals"]')
  await remembered.getByText('Always').waitFor()
  await picture(page, 'next-settings')
  await remembered.getByRole('button', { name: /^Ask me again/ }).click()
  await remembered.getByText(/will ask you again/).waitFor()
  await remembered.getByText('There are none.').waitFor()
  await page.goBack()
  await say(page, 'delete')
  await card(page).last().getByRole('button', { name: 'Keep files' }).waitFor()
})

test('a page with questions switched off shows them and answers none, until they are switched on', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada')
  await say(page, 'survey')
  await page.getByLabel('Good').waitFor()
  await page.getByLabel('Ask me here').uncheck()
  await page.getByText('Answering is turned off here.').waitFor()
  await picture(page, 'next-switched-off')
  await page.getByLabel('Ask me here').check()
  await page.getByLabel('Good').check()
  for (const step of ['Next', 'Next', 'Send']) await press(card(page), step)
  await page.getByText('Thank you. A good week').waitFor()
})

test('in suspend mode each request ends at the question, also across a kill', { timeout: LIMIT }, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada', '/suspend')
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Delete 3 files', exact: true }).waitFor()
  await example.server.kill()
  await example.server.start()
  await press(page, 'Delete 3 files')
  expect(await once(page, DONE)).toBe(1)
  await say(page, 'email')
  await page.getByLabel('E-mail address').fill('ada@elsewhere.org')
  await press(page, 'Send it')
  await page.getByText('Only addresses at example.com can be written to.').first().waitFor()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await press(page, 'Send it')
  expect(await once(page, 'Sent to ada@example.com.')).toBe(1)
})

test('the plain page works with the AI SDK alone, and shows the migration to Holdpoint', {
  timeout: LIMIT,
}, async () => {
  const page = await example.people.signIn(await example.people.device(), 'Ada', '/plain')
  await page.getByText('toolApproval: hp.toolApproval,').waitFor()
  await say(page, 'delete')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await line(page, DONE).waitFor()
  await picture(page, 'next-plain')
})

test('the shown migration turns the plain page into the page with Holdpoint', () => {
  const read = (path: string) => readFileSync(`examples/nextjs/${path}`, 'utf8')
  const made = applyPatch(read('migrate.diff'), read)
  expect(Object.keys(made)).toEqual(['app/api/suspend/route.ts', 'app/suspend/chat.tsx'])
  for (const [path, text] of Object.entries(made)) expect(text).toBe(read(path))
})

test('a script asks in one line and reads the answer from the log', { timeout: LIMIT }, async () => {
  const context = await example.people.device()
  await example.people.signIn(context, 'Ada')
  const sessionId = `script-${crypto.randomUUID()}`
  const started = await context.request.post(`${example.server.url}/api/chat`, {
    data: { sessionId, message: 'delete' },
  })
  expect([started.status(), await started.json()]).toEqual([202, { status: 'started' }])
  const page = await context.newPage()
  await page.goto(`${example.server.url}/chat/${sessionId}`)
  await press(page, 'Delete 3 files')
  await line(page, DONE).waitFor()
  const log = await context.request.get(`${example.server.url}/holdpoint/sessions/${sessionId}/events?cursor=&wait=0`, {
    headers: { accept: 'application/json' },
  })
  const { events } = (await log.json()) as { events: { type: string; text?: string }[] }
  const said = events.filter(({ type }) => type === 'content' || type === 'user_message')
  expect(said.map(({ text }) => text)).toEqual(['delete', 'Three drafts look abandoned. I would remove them.', DONE])
  const refused = await context.request.post(`${example.server.url}/api/chat`, { data: { sessionId } })
  expect([refused.status(), await refused.json()]).toEqual([400, { error: 'A chat needs a sessionId and a message.' }])
})
