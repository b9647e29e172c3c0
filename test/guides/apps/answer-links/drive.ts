import assert from 'node:assert/strict'
import { type Holdpoint } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { askingByMail } from './asking-by-mail.ts'
import { withAnswerPage } from './with-answer-page.ts'

const ask = (holdpoint: Holdpoint, question: object = {}) =>
  holdpoint
    .session('task-1', { userId: 'ada' })
    .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'deploy' })
    .tryApprove({ prompt: 'Deploy?', ...question })
const until = async <T>(found: () => T | Promise<T>): Promise<NonNullable<T>> => {
  for (let tries = 0; tries < 3_000; tries++) {
    const value = await found()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`it does not happen: ${found}`)
}
/** A browser at an address, with the cookie of a user. */
const browser = (holdpoint: Holdpoint, user?: string) => {
  const cookie = user ? { cookie: `user=${user}` } : {}
  const headers = { host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin', ...cookie }
  return (url: string, form?: Record<string, string>) =>
    holdpoint.fetch(
      new Request(url.replace('/holdpoint', ''), {
        headers,
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      }),
    )
}
const hidden = (page: string) =>
  Object.fromEntries([...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]))

// The page with a login, and a link of the same question.
const signedIn = async (request: Request) => {
  const userId = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return userId ? { userId } : null
}
const { holdpoint, pages } = withAnswerPage(sqliteStore({ path: 'page.db' }), signedIn)
const asking = ask(holdpoint)
const { interactionId } = await until(async () => (await holdpoint.interactions.list({ sessionId: 'task-1' })).interactions[0])
const url = pages.url({ sessionId: 'task-1', interactionId })
assert.equal((await browser(holdpoint, 'ada')(url)).status, 200)
const away = await browser(holdpoint)(url)
assert.match(await away.text(), /href="\/login\?next=https%3A%2F%2Fapp\.example\.com/)
const link = pages.linkUrl(await holdpoint.links.create({ interactionId, userId: 'ada' }))
assert.equal((await browser(holdpoint, 'eve')(link)).status, 403, 'another user is signed in')
const phone = browser(holdpoint)
const form = hidden(await (await phone(link)).text())
assert.equal((await phone(link, { ...form, action: 'deny' })).status, 303)
assert.equal((await asking).outcome, 'denied')
assert.doesNotMatch(await (await phone(link)).text(), /<form/)

// Own mails, each with a link of its own.
const sent: { messageId: string; to: string; subject: string; text: string }[] = []
const byMail = askingByMail(sqliteStore({ path: 'mail.db' }), async (mail) => void sent.push(mail))
const both = ask(byMail.holdpoint, { audience: ['bob'] })
await until(() => sent.length === 2)
assert.deepEqual(sent.map(({ to, subject }) => [to, subject]), [
  ['ada', 'Your approval is needed'],
  ['bob', 'Your approval is needed'],
])
const own = sent.map(({ text }) => text.split('\n').at(-1) ?? '')
assert.notEqual(own[0], own[1])
const bob = browser(byMail.holdpoint)
assert.equal((await bob(own[1] ?? '', { ...hidden(await (await bob(own[1] ?? '')).text()), action: 'approve' })).status, 303)
const approved = await both
assert.equal(approved.outcome, 'approved')
assert.equal('respondedBy' in approved && approved.respondedBy?.userId, 'bob')
process.exit()
