import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces } from '@holdpoint/server/surfaces'
import nodemailer from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { clock } from './given.ts'
import { slackFor } from './slack-for.ts'
import { withEmail } from './with-email.ts'
import { withNames } from './with-names.ts'

const until = async (found: () => unknown) => {
  for (let tries = 0; !found(); tries++) {
    assert.ok(tries < 3_000, `it does not happen: ${found}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
    await clock.settle()
  }
}
const ask = (holdpoint: Holdpoint, toolCallId: string, more: object = {}) =>
  holdpoint
    .session('task-1', { userId: 'ada' })
    .toolCall({ runId: 'run-1', toolCallId, toolName: 'delete_files' })
    .tryApprove({ prompt: 'Delete 3 files?', timeoutMs: 5 * 24 * 60 * 60_000, ...more })

// E-mail, through nodemailer to a real server.
let sent = 0
const mails: { to: string; text: string }[] = []
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  async onData(stream, session, done) {
    let raw = ''
    for await (const chunk of stream) raw += chunk
    mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text: raw.replaceAll('=\r\n', '') })
    done()
  },
})
await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
const { port } = smtp.server.address() as { port: number }
const smtpTransport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
/** A mail counts as sent when the surface knows it: then the clock may move. */
const transport = {
  async sendMail(mail: object) {
    const result = await smtpTransport.sendMail(mail)
    sent++
    return result
  },
}
const holdpoint = withEmail(memoryStore({ now: clock.now }), transport, async (id) => `${id}@example.com`)
const asking = ask(holdpoint, 'call-1')
await clock.advance('20s')
assert.equal(mails.length, 0, 'a mail was sent before 30 seconds had passed')
await clock.advance('15s')
await until(() => sent === 1)
assert.equal(mails[0]?.to, 'ada@example.com')
assert.match(mails[0]?.text ?? '', /Subject: Approval needed: Delete files/)
// No step passes its time by 30 seconds: the real server would count as too slow.
await clock.advance('14.5m')
await until(() => sent === 2)
assert.match(mails[1]?.text ?? '', /Subject: Re: Approval needed: Delete files/)

const link = /https:\/\/app\.example\.com\/holdpoint\/answer\/[\w-]+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
const open = (init: RequestInit = {}) => {
  const headers = { host: 'app.example.com', origin: 'null', 'sec-fetch-site': 'same-origin' }
  return holdpoint.fetch(new Request(link.replace('/holdpoint', ''), { headers, ...init }))
}
const page = await (await open()).text()
const form = new URLSearchParams({ action: 'approve' })
for (const [, name = '', value = ''] of page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)) {
  form.set(name, value)
}
assert.equal((await open({ method: 'POST', body: form })).status, 303)
await clock.settle()
assert.equal((await asking).outcome, 'approved')

// At night in Berlin: the mail waits until seven.
await clock.advance('11h')
void ask(holdpoint, 'call-2')
await clock.advance('1h')
assert.equal(mails.length, 2)
await clock.advance('6.75h')
await until(() => sent === 3)

// Slack: a message in German, whose button answers.
const posts: { channel: string; blocks: { elements?: { action_id: string; value?: string; text: { text: string } }[] }[] }[] = []
const client = {
  async apiCall(method: string, given: Record<string, unknown> = {}) {
    if (method === 'chat.postMessage') posts.push(given as never)
    return { channel: 'D1', ts: '1.0' }
  },
}
const secret = 'slack-signing-secret'
const slack = slackFor(client, secret, {
  slackUserOf: (userId) => ({ slackId: `U${userId}`, language: 'de-DE' }),
  userIdOf: (slackId) => (slackId === 'Uada' ? 'ada' : null),
})
const inSlack = createHoldpoint({ store: memoryStore() })
addSurfaces(inSlack, { pages: answerPage(inSlack, { url: 'https://app.example.com/holdpoint' }), surfaces: [slack] })
const slackAsking = ask(inSlack, 'call-3', { risk: 'low' })
await until(() => posts.length === 1)
const buttons = posts[0]?.blocks.flatMap(({ elements = [] }) => elements) ?? []
assert.deepEqual(
  buttons.map(({ action_id }) => action_id),
  ['holdpoint.approve', 'holdpoint.deny', 'holdpoint.open'],
)
assert.equal(buttons.at(-1)?.text.text, 'Ansehen und antworten')
const press = (by: string, key: string) => {
  const payload = { type: 'block_actions', user: { id: by, team_id: 'T1' }, actions: [{ ...buttons[0], action_ts: '1' }] }
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = {
    ...{ host: 'app.example.com', 'content-type': 'application/x-www-form-urlencoded' },
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex')}`,
  }
  return inSlack.fetch(new Request('https://app.example.com/surfaces/slack', { method: 'POST', body, headers }))
}
assert.equal((await press('Uada', 'forged')).status, 401)
assert.equal((await press('Ueve', secret)).status, 200)
const { interactions } = await inSlack.interactions.list({ sessionId: 'task-1' })
assert.equal(interactions[0]?.status, 'open', 'another user has answered')
assert.equal((await press('Uada', secret)).status, 200)
assert.equal((await slackAsking).outcome, 'approved')

// The app's name of a tool.
const named = withNames(memoryStore())
void ask(named, 'call-4').catch(() => {})
void named
  .session('task-1', { userId: 'ada' })
  .toolCall({ runId: 'run-1', toolCallId: 'call-5', toolName: 'post_to_slack' })
  .tryApprove({ prompt: 'Post it?' })
  .catch(() => {})
const listed = async () => (await named.interactions.list({ sessionId: 'task-1' })).interactions
for (let tries = 0; (await listed()).length < 2 && tries < 500; tries++) await new Promise((done) => setTimeout(done, 10))
assert.deepEqual((await listed()).map(({ names }) => names.tool).sort(), ['Delete files', 'Post to Slack'])
process.exit()
