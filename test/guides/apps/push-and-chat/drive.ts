import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { clock, pushed } from './given.ts'
import { telegramFor } from './telegram-for.ts'
import { withPush } from './with-push.ts'

const until = async (found: () => unknown) => {
  for (let tries = 0; !found(); tries++) {
    assert.ok(tries < 3_000, `it does not happen: ${found}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
    await clock.settle()
  }
}
const ask = (holdpoint: Holdpoint) =>
  holdpoint
    .session('task-1', { userId: 'ada' })
    .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'deploy' })
    .tryApprove({ prompt: 'Deploy it', risk: 'low', timeoutMs: 60 * 60_000 })
const keyPair = () => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const secret = pair.getPrivateKey()
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - secret.length), secret]).toString('base64url') }
}

// A browser of Ada subscribes, and gets an encrypted notification after half a minute.
const holdpoint = withPush(
  memoryStore({ now: clock.now }),
  { ...keyPair(), subject: 'mailto:ops@example.com' },
  (request) => (request.headers.get('cookie') === 'user=ada' ? { userId: 'ada' } : null),
)
const page = (path: string, body?: object, cookie = 'user=ada') =>
  holdpoint.fetch(
    new Request(`https://app.example.com${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { host: 'app.example.com', origin: 'https://app.example.com', 'content-type': 'application/json', cookie },
    }),
  )
const worker = await page('/push/worker.js')
assert.match(worker.headers.get('content-type') ?? '', /javascript/)
const keys = { p256dh: keyPair().publicKey, auth: randomBytes(16).toString('base64url') }
const subscription = { endpoint: 'https://push.example.com/send/1', keys }
assert.equal((await page('/push', { subscription }, '')).status, 401)
assert.equal((await page('/push', { subscription })).status, 200)
void ask(holdpoint)
await clock.advance('20s')
assert.equal(pushed.length, 0)
await clock.advance('15s')
await until(() => pushed.length === 1)
assert.equal(pushed[0]?.url, subscription.endpoint)
assert.match(pushed[0]?.headers.authorization ?? '', /^vapid t=/)
assert.equal(pushed[0]?.headers['content-encoding'], 'aes128gcm')

// A message of a chat platform, with a double of the Chat SDK.
interface Card {
  card: { children: { children?: { id?: string; value?: string }[] }[] }
}
const posts: { thread: string; message: Card }[] = []
const edits: unknown[] = []
let handler: (event: never) => Promise<void> = async () => {}
const adapter = {
  openDM: async (userId: string) => `dm-${userId}`,
  async postMessage(thread: string, message: Card) {
    posts.push({ thread, message })
    return { id: 'm1' }
  },
  async editMessage(_thread: string, _id: string, message: unknown) {
    edits.push(message)
  },
}
const bot = {
  initialize: async () => {},
  getAdapter: () => adapter,
  onAction(_ids: string[], given: (event: never) => Promise<void>) {
    handler = given
  },
}
const telegram = telegramFor(bot, {
  telegramIdOf: (userId) => (userId === 'ada' ? '12345' : null),
  userIdOf: (id) => (id === '12345' ? 'ada' : null),
})
const chatting = createHoldpoint({ store: memoryStore() })
addSurfaces(chatting, { pages: answerPage(chatting, { url: 'https://app.example.com' }), surfaces: [telegram] })
const asking = ask(chatting)
await until(() => posts.length === 1)
assert.equal(posts[0]?.thread, 'dm-12345')
const [approve] = posts[0]?.message.card.children.flatMap(({ children = [] }) => children) ?? []
const press = (userId: string) =>
  handler({
    ...{ actionId: approve?.id, value: approve?.value, adapter: { name: 'telegram' }, messageId: 'm1' },
    ...{ user: { userId }, thread: null },
  } as never)
await press('666')
const { interactions } = await chatting.interactions.list({ sessionId: 'task-1' })
assert.equal(interactions[0]?.status, 'open', 'a stranger has answered')
await press('12345')
assert.equal((await asking).outcome, 'approved')
await until(() => edits.length === 1)
process.exit()
