import type { HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { clusters } from './support/nodes.ts'
import { ADA, call, open, person } from './support/world.ts'

/** Secrets, uploads, erasure and retention: what must not be kept, seen, or taken by others. */
const SECRET = 'hunter2-and-more'
const KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }]
const FORM = [
  { id: 'user', type: 'text', label: 'User', required: true },
  { id: 'password', type: 'secret', label: 'Password', required: true },
] as const
const FILES = [{ id: 'doc', type: 'file', label: 'Document', accept: ['.txt'], maxBytes: 100, required: true }] as const

function world(options: HoldpointOptions = {}) {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const holdpoint = open({
    store,
    environment: clock.environment,
    ...options,
    security: { vaultKeys: KEYS, ...options.security },
  })
  return {
    clock,
    store,
    holdpoint,
    session: holdpoint.session('chat', ADA),
    human: testHuman(holdpoint, ADA),
    ada: person(holdpoint),
  }
}

test('a secret is stored in the vault: the tool receives a reference, and all others see only that a secret exists', async () => {
  const logged: string[] = []
  const write = (...said: unknown[]) => void logged.push(JSON.stringify(said))
  const { holdpoint, store, session, human, ada } = world({
    logger: { debug: write, info: write, warn: write, error: write },
  })
  const ctx = session.toolCall(call())
  const asking = ctx.ask({ prompt: 'Log in', fields: FORM })
  const question = await human.next()
  await human.fill(question, { user: 'ada', password: SECRET })
  const { user, password } = await asking
  expect(user).toBe('ada')
  expect(await ctx.secret(password)).toBe(SECRET)
  const [shown] = (await ada.snapshot()).interactions
  expect(shown?.response).toMatchObject({ input: { user: 'ada', password: { secret: true } } })
  const session_ = (await engineOf(holdpoint).access(ADA, 'chat', 'read'))!
  const rows = await store.snapshot(engineOf(holdpoint).partition(session_), [
    'ended',
    'call',
    'journal',
    'secret',
    'delivery',
  ])
  const everything = JSON.stringify([rows, await ada.events(), logged])
  expect(everything).not.toContain(SECRET)
  expect(everything).not.toContain(Buffer.from(SECRET).toString('base64'))
  // The reference is good in this session only.
  const other = holdpoint.session('other', ADA).toolCall(call())
  await expect(other.secret(password)).rejects.toMatchObject({ code: 'unknown_secret' })
  await expect(ctx.secret('secret:made-up')).rejects.toMatchObject({ code: 'unknown_secret' })
})

test('a reprompt does not return the secret to the client, and a follow-up does not contain it', async () => {
  const followUps: unknown[] = []
  const { clock, session, human } = world({ hooks: { onFollowUp: (delivery) => void followUps.push(delivery) } })
  let prompts = 0
  const asking = session.toolCall(call()).requestInteraction({
    type: 'input',
    inputSchema: FORM,
    whenUnavailable: 'wait',
    onResponse: () => (prompts++ ? { pending: { message: 'later' } } : { reprompt: { error: 'Wrong password.' } }),
  })
  await human.fill(await human.next(), { user: 'ada', password: SECRET })
  const second = await human.next()
  expect(second.request).toMatchObject({ initialValues: { user: 'ada' } })
  expect(JSON.stringify(second)).not.toContain('secret:')
  await human.fill(second, { user: 'ada', password: SECRET })
  await asking
  await human.fill(await human.next(), { user: 'ada', password: SECRET })
  await clock.settle()
  expect(followUps).toHaveLength(1)
  expect(JSON.stringify(followUps)).not.toContain(SECRET)
})

test('a secret can be read after its key was rotated, and a missing key is an error with its own code', async () => {
  const [, makeCluster] = clusters.find(([name]) => name === 'sqlite')!
  const cluster = makeCluster()
  const old = cluster.node({ security: { vaultKeys: KEYS } })
  const human = testHuman(old.holdpoint, ADA)
  const ctx = (node: typeof old) => node.holdpoint.session('chat', ADA).toolCall(call())
  const asking = ctx(old).ask({ fields: FORM })
  await human.fill(await human.next(), { user: 'ada', password: SECRET })
  const { password } = await asking
  const newKey = { id: 'k2', key: new Uint8Array(32).fill(9) }
  expect(await ctx(cluster.node({ security: { vaultKeys: [newKey, ...KEYS] } })).secret(password)).toBe(SECRET)
  await expect(ctx(cluster.node({ security: { vaultKeys: [newKey] } })).secret(password)).rejects.toMatchObject({
    code: 'vault_key_unknown',
  })
  const keyless = cluster.node().holdpoint.session('chat', ADA).toolCall(call('2'))
  await expect(keyless.ask({ fields: FORM })).rejects.toMatchObject({ code: 'vault_keys_missing' })
  expect(() => cluster.node({ security: { vaultKeys: [{ id: 'x', key: 'c2hvcnQ=' }] } })).toThrow(/32/)
})

test('[HP-UPL-1] an upload without permission is not read, and the number of files is limited for each field and question [T29.2]', async () => {
  const { holdpoint, session, human } = world()
  const many = { id: 'docs', type: 'file', label: 'Docs', multiple: true } as const
  const asking = session.toolCall(call()).ask({ fields: [...FILES, many], audience: ['bob'] })
  const { interactionId } = await human.next()
  let read = 0
  const file = { interactionId, fieldId: 'doc', name: 'plan.txt', type: 'text/plain' }
  const upload = (over: object = {}, who = ADA) =>
    engineOf(holdpoint).upload(who, 'chat', {
      ...file,
      bytes: async () => {
        read++
        return new TextEncoder().encode('the plan')
      },
      ...over,
    })
  expect(await upload({ interactionId: 'none' })).toMatchObject({ status: 404 })
  expect(await upload({ fieldId: 'other' })).toMatchObject({ status: 422 })
  expect(await upload({ name: 'plan.exe' })).toMatchObject({ status: 422 })
  expect(await upload({}, { userId: 'eve' })).toMatchObject({ status: 404 })
  expect(read).toBe(0)
  const handles: string[] = []
  for (let n = 0; n < 30; n++) handles.push(((await upload()).body as { handle: string }).handle)
  expect(await upload({}, { userId: 'bob' })).toMatchObject({ status: 200 })
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) statuses.push((await upload({ fieldId: 'docs' })).status)
  // 20 in all: one of ada's and one of bob's for the single field.
  expect(statuses).toEqual([...Array(18).fill(200), 422, 422])
  const [partition = ''] = [engineOf(holdpoint).partition({ tenant: '', sessionId: 'chat', userId: 'ada' } as never)]
  const kept = await engineOf(holdpoint).store.list(partition, 'upload')
  expect(kept).toHaveLength(20)
  expect(kept.map(({ id }) => id)).toContain(handles.at(-1))
  expect(kept.map(({ id }) => id)).not.toContain(handles[0])
  asking.catch(() => {})
})

test('an upload is bound to its user and question, and its size and type are checked [T29.1]', async () => {
  const { holdpoint, session, human, ada } = world()
  const ctx = session.toolCall(call())
  const note = { id: 'note', type: 'text', label: 'Note' } as const
  const asking = ctx.ask({ fields: [...FILES, note], audience: ['bob'] })
  const { interactionId } = await human.next()
  const upload = (principal = ADA, file: object = {}) =>
    engineOf(holdpoint).upload(principal, 'chat', {
      interactionId,
      fieldId: 'doc',
      name: 'plan.txt',
      type: 'text/plain',
      bytes: new TextEncoder().encode('the plan'),
      ...file,
    })
  expect(await upload(ADA, { bytes: new Uint8Array(101) })).toMatchObject({ status: 413 })
  expect(await upload(ADA, { name: 'plan.exe' })).toMatchObject({ status: 422 })
  for (const fieldId of ['other', 'note']) expect(await upload(ADA, { fieldId })).toMatchObject({ status: 422 })
  expect(await upload({ userId: 'eve' })).toMatchObject({ status: 404 })
  const bobs = (await upload({ userId: 'bob' })).body as { handle: string }
  const mine = (await upload()).body as { handle: string }
  const question = await ada.next()
  for (const doc of [bobs, { ...mine, handle: 'made-up' }]) {
    const reply = await ada.answer(question, { action: 'submit', input: { doc } })
    expect(reply).toMatchObject({ status: 422, body: { error: { fieldErrors: { doc: [expect.any(String)] } } } })
  }
  expect(await ada.answer(question, { action: 'submit', input: { doc: mine } })).toMatchObject({ status: 200 })
  const { doc } = await asking
  const opened = await ctx.upload(doc.handle)
  expect([opened.name, new TextDecoder().decode(opened.bytes)]).toEqual(['plan.txt', 'the plan'])
  // Not for another question, though the same user uploaded it.
  const again = session.toolCall(call('2')).ask({ fields: FILES })
  const second = (await ada.pending())[0]!
  expect(await ada.answer(second, { action: 'submit', input: { doc: mine } })).toMatchObject({ status: 422 })
  void again.catch(() => {})
  expect(await upload()).toMatchObject({ status: 404 })
})

test('erasing a session ends its running work and removes all its data', async () => {
  const { holdpoint, store, session, human } = world()
  const waiting = session.toolCall(call()).tryApprove({ prompt: 'Go?' })
  await human.next()
  const partition = engineOf(holdpoint).partition((await engineOf(holdpoint).access(ADA, 'chat', 'read'))!)
  await holdpoint.eraseSession({ sessionId: 'chat' })
  expect(await waiting).toMatchObject({ outcome: 'cancelled' })
  expect(await engineOf(holdpoint).access(ADA, 'chat', 'read')).toBeNull()
  expect(await human.waiting()).toEqual([])
  expect(await store.readLog(partition, { from: 1, limit: 10 })).toMatchObject({ events: [], head: 0 })
})

test('erasing a user removes all sessions and remembered approvals of this user, and no others', async () => {
  const { holdpoint, human } = world()
  for (const chat of ['one', 'two']) {
    const approved = holdpoint
      .session(chat, ADA)
      .toolCall(call())
      .approve({ prompt: '?', rememberAs: chat, scopes: ['always'] })
    await human.approve(await human.next(), { approvalScope: 'always' })
    await approved
  }
  await holdpoint.session('bobs', { userId: 'bob' }).emit({ type: 'content', text: 'hi' })
  expect(await holdpoint.eraseUser(ADA)).toEqual({ sessions: 2 })
  expect(await holdpoint.approvals.list(ADA)).toEqual([])
  expect(await engineOf(holdpoint).access(ADA, 'one', 'read')).toBeNull()
  expect(await engineOf(holdpoint).access({ userId: 'bob' }, 'bobs', 'read')).not.toBeNull()
})

test('erasing a user removes the name from answers in sessions of other users, and the answers remain', async () => {
  const { holdpoint, session, ada } = world()
  const boss = { userId: 'boss-7', name: 'Grace Boss' }
  const ask = (id: string) =>
    session.toolCall(call(id)).approve({ rememberAs: id, prompt: `${id}?`, audience: [boss.userId] })
  for (const id of ['one', 'two']) {
    const approved = ask(id)
    await person(holdpoint, 'chat', boss).answer((await ada.pending())[0]!, { action: 'approve' })
    expect(await approved).toMatchObject({ respondedBy: { name: 'Grace Boss' } })
  }
  expect(await holdpoint.eraseUser(boss)).toEqual({ sessions: 0 })
  const shown = await ada.snapshot()
  expect(shown.interactions).toHaveLength(2)
  for (const { response } of shown.interactions) {
    expect(response).toMatchObject({ action: 'approve', respondedBy: { clientId: 'erased' } })
  }
  expect(JSON.stringify(shown)).not.toContain('Grace')
  // A repeated call receives the answer, without the name.
  const again = await ask('one')
  expect(again).toMatchObject({ outcome: 'approved', respondedBy: { clientId: 'erased' } })
  expect(JSON.stringify(again)).not.toContain('Grace')
})

test('retention removes cancelled runs with their questions and calls, and keeps a paused run', async () => {
  const { clock, holdpoint, store, session, human } = world({ retention: { endedMs: 3_600_000 } })
  const tool = holdpoint.tool({
    name: 'tool',
    input: z.object({}),
    execute: async (_input, ctx) => (await ctx.approve({ prompt: 'Go?' })).outcome,
  })
  const refused = Promise.allSettled([
    session.runTool(tool, {}, { runId: 'cancelled', toolCallId: 'registered' }),
    session.toolCall(call('bare', 'cancelled')).approve({ prompt: 'Go?' }),
  ])
  human.ignore(await human.next())
  await human.next()
  await session.emit({ type: 'run_status', runId: 'paused', status: 'paused' })
  await session.cancelRun('cancelled')
  expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const partition = engineOf(holdpoint).partition((await engineOf(holdpoint).access(ADA, 'chat', 'read'))!)
  const left = async () => {
    const kinds = ['ended', 'question', 'call', 'idle', 'run'] as const
    return await Promise.all(kinds.map(async (kind) => (await store.list(partition, kind)).length))
  }
  expect(await left()).toEqual([2, 0, 2, 1, 1])
  await clock.jump('2h')
  await clock.advance('2h')
  expect(await left()).toEqual([0, 0, 0, 0, 1])
})

test('retention removes old events and interactions that ended long ago, and nothing that is open', async () => {
  const { clock, holdpoint, store, session, human, ada } = world({ retention: { endedMs: 3_600_000, events: 4 } })
  const old = session.toolCall(call('old')).ask({ fields: FORM })
  await human.fill(await human.next(), { user: 'ada', password: SECRET })
  await old
  const open_ = session.toolCall(call('open')).tryApprove({ prompt: 'Still there?', timeoutMs: 30 * 86_400_000 })
  const question = await human.next()
  await clock.jump('2h')
  await clock.advance('1h')
  const partition = engineOf(holdpoint).partition((await engineOf(holdpoint).access(ADA, 'chat', 'read'))!)
  const kinds = ['ended', 'question', 'secret', 'call'] as const
  const counts = await Promise.all(kinds.map(async (kind) => (await store.list(partition, kind)).length))
  expect(counts).toEqual([0, 1, 0, 1])
  const { events, head } = await store.readLog(partition, { from: 1, limit: 100 })
  expect(events).toHaveLength(4)
  expect(head).toBeGreaterThan(4)
  expect((await ada.snapshot()).interactions).toHaveLength(1)
  await human.approve(question)
  expect(await open_).toMatchObject({ outcome: 'approved' })
})
