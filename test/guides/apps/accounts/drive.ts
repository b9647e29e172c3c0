import assert from 'node:assert/strict'
import { testHuman } from '@holdpoint/server/testing'
import { backTo } from './back-to.ts'
import { vault } from './given.ts'
import { holdpoint, onTheirWebhook } from './own-accounts.ts'
import { postSummary } from './post-summary.ts'

const sent: string[] = []
globalThis.fetch = async (_url, init) => {
  sent.push(new Headers(init?.headers).get('authorization') ?? '')
  return new Response('{}')
}

// A tool needs an account, the user connects it, the account store calls its webhook, and the tool continues.
const ctx = holdpoint
  .session('chat-1', { userId: 'ada' })
  .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'post_summary' })
const posted = postSummary(ctx, 'hello')
const question = await testHuman(holdpoint, { userId: 'ada' }).next({ kind: 'connect' })
const started = await holdpoint.fetch(
  new Request('http://localhost/sessions/chat-1/connect', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost' },
    body: JSON.stringify({ interactionId: question.interactionId, integration: 'slack', returnTo: '/chat' }),
  }),
)
assert.equal(started.status, 200)
assert.match((await started.json()).url, /^https:\/\/vault\.example\/slack/)
vault.connected.add('ada slack')
await onTheirWebhook('ada', 'slack')
assert.deepEqual(await posted, { posted: true })
assert.deepEqual(sent, ['Bearer token of ada for slack'])
assert.equal(
  backTo('https://app.example.com/chat', { integration: 'slack', flowId: 'f1' }, true),
  'https://app.example.com/chat?auth_complete=slack&flow_id=f1',
)
await holdpoint.close()

// Our account provider starts on a database that was never opened before.
const { holdpoint: own } = await import('./accounts.ts')
const services = await own.fetch(new Request('https://app.example.com/holdpoint/connections'))
assert.ok(services.status < 500, `the broker answers ${services.status}: ${await services.text()}`)
await own.close()
process.exit()
