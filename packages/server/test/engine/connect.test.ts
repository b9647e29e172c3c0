import type { HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testAccounts, testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, BOB, call, open, person } from './support/world.ts'

function world(options: HoldpointOptions = {}) {
  const clock = testClock()
  const accounts = testAccounts()
  const holdpoint = open({
    store: memoryStore({ now: clock.now }),
    environment: clock.environment,
    accounts,
    ...options,
  })
  const session = holdpoint.session('chat', ADA)
  const human = testHuman(holdpoint, { ...ADA, accounts })
  const start = (interactionId: string, integration: string, principal = ADA) =>
    engineOf(holdpoint).connect(principal, 'chat', { interactionId, integration, returnTo: '/back' })
  return { clock, accounts, holdpoint, session, human, ada: person(holdpoint), start }
}

test('a question for several accounts reports progress and a result, and tokens are read when they are used', async () => {
  const { accounts, session, human, ada } = world()
  accounts.set(ADA, 'github')
  const connecting = session.toolCall(call()).connect({
    integrations: ['slack', 'github', 'gmail'],
    reason: 'to post the summary',
    scopes: { slack: ['chat:write'] },
  })
  const question = await human.next({ kind: 'connect' })
  expect(question.request).toMatchObject({
    type: 'auth_needed',
    generationId: 'run-1',
    conversationId: 'chat',
    integrations: ['slack', 'github', 'gmail'],
    connected: ['github'],
    causes: { slack: 'missing', gmail: 'missing' },
    scopes: { slack: ['chat:write'] },
    reason: 'to post the summary',
  })
  await human.connect('slack')
  expect((await ada.snapshot()).interactions[0]?.connected).toEqual(['github', 'slack'])
  await human.connect('gmail')
  const { slack, gmail } = await connecting
  expect([await slack.token(), await gmail.token()]).toEqual(['test-token:ada:slack', 'test-token:ada:gmail'])
  const log = await ada.events()
  expect(log.map(({ type, status }) => status ?? type)).toEqual([
    'auth_needed',
    'awaiting_auth',
    'auth_progress',
    'auth_progress',
    'auth_result',
    'running',
  ])
  expect(log[4]).toMatchObject({ success: true, integrations: ['slack', 'github', 'gmail'] })
  expect(JSON.stringify(log)).not.toContain('test-token')
})

test('connect asks nothing if the accounts are connected', async () => {
  const { accounts, session, ada } = world()
  accounts.set(ADA, 'slack', ['chat:write'])
  const { slack } = await session
    .toolCall(call())
    .connect({ integrations: ['slack'], scopes: { slack: ['chat:write'] } })
  expect(await slack.token()).toContain('slack')
  expect(await ada.events()).toEqual([])
})

test('a connect after another connect in the same call continues immediately', async () => {
  const { session, human } = world()
  const ctx = session.toolCall(call())
  const first = ctx.connect({ integrations: ['slack'] })
  await human.next({ kind: 'connect' })
  await human.connect('slack')
  await first
  const { slack } = await ctx.connect({ integrations: ['slack'] })
  expect(await slack.token()).toBe('test-token:ada:slack')
})

test('a request for wider scopes includes the scopes that the account already has', async () => {
  const { accounts, session, human, start } = world()
  accounts.set(ADA, 'slack', ['read'])
  const started: unknown[] = []
  const original = accounts.start
  accounts.start = async (principal, integration, options) => {
    started.push(options.scopes)
    return await original(principal, integration, options)
  }
  const connecting = session.toolCall(call()).connect({ integrations: ['slack'], scopes: { slack: ['write'] } })
  const question = await human.next()
  expect(question.request).toMatchObject({ causes: { slack: 'scopes' } })
  await start(question.interactionId, 'slack')
  expect(started).toEqual([['write', 'read']])
  await human.connect('slack', ['read', 'write'])
  await connecting
})

test('a question for accounts expires with its run after ten minutes', async () => {
  const { clock, session, human, ada } = world()
  const refused = expect(session.toolCall(call()).connect({ integrations: ['slack'] })).rejects.toMatchObject({
    outcome: 'expired',
  })
  await human.next()
  await clock.advance('10m')
  await refused
  const log = await ada.events()
  expect(log.slice(-2)).toMatchObject([
    { type: 'auth_result', success: false, reason: 'expired' },
    { type: 'run_status', status: 'cancelled', reason: 'auth_expired' },
  ])
  await expect(session.toolCall(call('2')).approve({ prompt: '?' })).rejects.toMatchObject({ outcome: 'cancelled' })
})

test('a user who continues without connecting supersedes the question, and no run is stopped', async () => {
  const { session, human, ada } = world()
  const waiting = session.toolCall(call('a')).tryConnect({ integrations: ['slack'] })
  await human.next()
  await session.declineWaiting()
  expect(await waiting).toEqual({ outcome: 'superseded', reason: 'declined' })
  const log = await ada.events()
  expect(log.find(({ type }) => type === 'auth_result')).toMatchObject({ success: false, reason: 'superseded' })
  expect(log.some(({ type, status }) => type === 'run_status' && status === 'cancelled')).toBe(false)
})

test('a question for accounts ends as cancelled with its run, and as declined if the user declines', async () => {
  const { session, human, ada } = world()
  const declined = session.toolCall(call('a')).tryConnect({ integrations: ['slack'] })
  await human.decline(await human.next())
  expect(await declined).toEqual({ outcome: 'declined' })
  const cancelled = session.toolCall(call('b')).tryConnect({ integrations: ['slack'] })
  await human.next()
  await session.cancelRun('run-1')
  expect(await cancelled).toMatchObject({ outcome: 'cancelled' })
  expect((await ada.events()).filter(({ type }) => type === 'auth_result')).toMatchObject([
    { success: false, reason: 'decline' },
    { success: false, reason: 'cancelled' },
  ])
})

test('parallel calls share one flow for each account, and all of them continue', async () => {
  const { accounts, session, human, ada, start } = world()
  const calls = ['a', 'b', 'c'].map((id) =>
    session.toolCall(call(id, `run-${id}`)).connect({ integrations: ['slack'] }),
  )
  const questions = (await ada.pending(3)).map(({ interactionId }) => interactionId)
  const replies = await Promise.all(questions.map((id) => start(id, 'slack')))
  const flows = new Set(replies.map(({ body }) => (body as { flowId: string }).flowId))
  expect(flows.size).toBe(1)
  expect(accounts.started).toHaveLength(3)
  await human.connect('slack')
  expect(await Promise.all(calls)).toHaveLength(3)
})

test('a result that the browser reports only triggers a check of the account [T10.3]', async () => {
  const { accounts, holdpoint, session, human } = world()
  const hint = (integration: string, success: boolean, principal = ADA) =>
    engineOf(holdpoint).submitAuthResult(principal, 'chat', {
      type: 'submit_auth_result',
      clientId: 'tab',
      generationId: 'run-1',
      integration,
      success,
    })
  const connecting = session.toolCall(call()).connect({ integrations: ['slack'] })
  await human.next()
  expect(await hint('slack', true)).toMatchObject({ status: 200 })
  expect(await human.waiting()).toHaveLength(1)
  expect(await hint('slack', false)).toMatchObject({ status: 200 })
  expect(await human.waiting()).toHaveLength(1)
  accounts.set(BOB, 'slack')
  expect(await hint('slack', true, BOB)).toMatchObject({ status: 404 })
  accounts.set(ADA, 'slack')
  await hint('slack', false)
  expect(await connecting).toHaveProperty('slack')
})

test('only the owner of the session connects accounts, although a rule allows other users to answer', async () => {
  const { session, human, start } = world({ security: { authorize: () => true } })
  void session.toolCall(call()).tryConnect({ integrations: ['slack'] })
  const { interactionId } = await human.next()
  expect(await start(interactionId, 'slack', BOB)).toMatchObject({ status: 404 })
  expect(await start(interactionId, 'gmail')).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_interaction' } },
  })
  expect(await start(interactionId, 'slack')).toMatchObject({
    status: 200,
    body: { url: expect.stringContaining('https://') },
  })
})

test('a provider that is down is reported with its name, and a missing provider with the remedy', async () => {
  const { accounts, session, human, start } = world()
  void session.toolCall(call()).tryConnect({ integrations: ['slack'] })
  const { interactionId } = await human.next()
  accounts.start = () => Promise.reject(new Error('the internal host name'))
  const reply = await start(interactionId, 'slack')
  expect(reply).toMatchObject({ status: 502, body: { error: { code: 'accounts_unavailable' } } })
  expect(JSON.stringify(reply)).not.toContain('internal host')
  const bare = open({ store: memoryStore() })
  const refused = bare
    .session('chat', ADA)
    .toolCall(call())
    .connect({ integrations: ['slack'] })
  await expect(refused).rejects.toMatchObject({ code: 'accounts_not_configured' })
})

test('a call that runs again after the accounts were connected continues and leaves no open question', async () => {
  const { clock, session, human, ada } = world()
  const page = new AbortController()
  void session
    .toolCall({ ...call(), signal: page.signal })
    .connect({ integrations: ['slack'] })
    .catch(() => {})
  await human.next()
  page.abort()
  await clock.settle()
  await human.connect('slack')
  const { slack } = await session.toolCall(call()).connect({ integrations: ['slack'] })
  expect(await slack.token()).toContain('slack')
  await clock.advance('5m')
  expect((await ada.snapshot()).runs).not.toContainEqual(expect.objectContaining({ status: 'awaiting_auth' }))
})
