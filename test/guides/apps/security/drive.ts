import assert from 'node:assert/strict'
import { holdpoint } from './holdpoint.ts'

const sessionId = `guide-${crypto.randomUUID()}`
await holdpoint.session(sessionId, { userId: 'ada' }).emit({ type: 'content', text: 'a secret' })
const read = async (headers: Record<string, string>, host = 'app.example.com') =>
  (await holdpoint.fetch(new Request(`https://${host}/sessions/${sessionId}`, { headers: { host, ...headers } }))).status
assert.equal(await read({}), 401)
assert.equal(await read({ 'x-user': 'ada' }), 200)
assert.equal(await read({ 'x-user': 'support' }), 200)
assert.equal(await read({ 'x-user': 'ada', origin: 'https://app.example.com' }), 200)
assert.equal(await read({ 'x-user': 'ada', origin: 'https://evil.example' }), 403)
assert.equal(await read({ 'x-user': 'ada' }, 'evil.example'), 403)
await holdpoint.eraseSession({ sessionId })
await holdpoint.close()
process.exit()
