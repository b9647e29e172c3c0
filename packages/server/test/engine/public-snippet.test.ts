import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountProvider, createHoldpoint, InteractionRefused } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { afterAll, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ADA, person } from './support/world.ts'

/** The code of the documentation, executed from its first line to its last. */

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-snippet-'))
const delivered: string[] = []
const accounts: AccountProvider = {
  status: async (_principal, integration) => ({ state: connected.has(integration) ? 'connected' : 'missing' }),
  start: async (_principal, integration) => ({ url: `https://accounts.example/${integration}` }),
  token: async (_principal, integration) => `token-of-${integration}`,
}
const connected = new Set<string>()

const holdpoint = createHoldpoint({
  store: sqliteStore({ path: join(folder, 'data.db') }),
  authenticate: async (_request) => ({ userId: 'ada' }),
  hooks: {
    onToolResult: async ({ deliveryId, toolCallId, result }) =>
      void delivered.push(`${deliveryId} ${toolCallId} ${result}`),
    onFollowUp: async ({ deliveryId, sessionId, message, reason }) =>
      void delivered.push(`${deliveryId} ${sessionId} ${message} ${reason}`),
    onAsked: async ({ interactionId, present, url }) => void delivered.push(`${interactionId} ${present} ${url}`),
  },
  accounts,
})
afterAll(async () => {
  await holdpoint.close()
  rmSync(folder, { recursive: true, force: true })
})

test('requestInteraction, once and approvals work on the context of one tool call as documented', async () => {
  const { signal } = new AbortController()
  const session = holdpoint.session('task-42', { userId: 'ada' })
  const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files', signal })
  const ada = person(holdpoint, 'task-42')
  await session.emit({ type: 'content', text: 'hello' })
  await ada.look()

  const asking = ctx.requestInteraction({
    type: 'approval',
    key: 'confirm',
    prompt: 'Delete 3 files?',
    approvalScopes: ['once', 'session', 'always'],
    timeoutMs: 60_000,
    onResponse: async (response, { idempotencyKey: _idempotencyKey }) =>
      response.action === 'approve' ? { complete: { ok: true } } : { complete: { ok: false, reason: response.reason } },
    onTimeout: () => ({ complete: { ok: false, error: 'timed out' } }),
    onCancel: () => {},
  })
  await ada.answer(await ada.next(), { action: 'deny', reason: 'no' })
  const result = await asking
  expectTypeOf(result.ok).toEqualTypeOf<boolean>()
  expect(result).toEqual({ ok: false, reason: 'no' })
})

test('approve, ask and connect work as documented', async () => {
  const session = holdpoint.session('task-43', { userId: 'ada' })
  const ctx = session.toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
  const ada = person(holdpoint, 'task-43')
  const files = ['a', 'b']

  const approving = ctx.approve({
    rememberAs: (a) => ['delete', a.files],
    prompt: 'Delete 2 files?',
    scopes: ['once', 'session'],
    args: { files },
  })
  await ada.answer(await ada.next(), { action: 'approve', approvalScope: 'session' })
  const { args, edited, scope } = await approving
  expectTypeOf(args).toEqualTypeOf<{ files: string[] }>()
  expect({ args, edited, scope }).toEqual({ args: { files }, edited: false, scope: 'session' })

  const asking = ctx.ask({
    prompt: 'Where to?',
    schema: z.object({ email: z.email(), copies: z.int().min(1).default(1) }),
  })
  await ada.answer(await ada.next(), { action: 'submit', input: { email: 'ada@example.com', copies: 2 } })
  const { email, copies } = await asking
  expectTypeOf(copies).toEqualTypeOf<number>()
  expect([email, copies]).toEqual(['ada@example.com', 2])

  const connecting = ctx.connect({ integrations: ['slack', 'gmail'], reason: 'to post the summary' })
  await ada.next()
  for (const integration of ['slack', 'gmail']) {
    connected.add(integration)
    await holdpoint.accounts.changed({ ...ADA, integration })
  }
  const { slack } = await connecting
  expect(await slack.token()).toBe('token-of-slack')

  const charge = (card: string, key: string) => `${card} charged, ${key.length > 10}`
  expect(await ctx.once('charge', ({ idempotencyKey }) => charge('visa', idempotencyKey))).toBe('visa charged, true')
  expect(await ctx.approvals.get(['delete', files])).toBe('session')
  expect(ctx.interaction.available).toBe(false)
  expect(await ctx.interaction.check()).toBe(false)

  const refused = ctx.approve({ prompt: 'Drop the table?' })
  await ada.answer(await ada.next(), { action: 'deny' })
  await expect(refused).rejects.toBeInstanceOf(InteractionRefused)
})

test('a durable tool works as documented', async () => {
  const removeAll = (files: string[]) => ({ removed: files.length })
  const deleteFiles = holdpoint.tool({
    name: 'delete_files',
    input: z.object({ files: z.array(z.string()) }),
    execute: async ({ files }, ctx) => {
      ctx.log('removing')
      return removeAll(files)
    },
  })
  const session = holdpoint.session('task-44', { userId: 'ada' })
  const run = await session.runTool(deleteFiles, { files: ['a'] }, { runId: 'run-1', toolCallId: 'call-1' })
  if (run.status === 'completed') expectTypeOf(run.result).toEqualTypeOf<{ removed: number }>()
  expect(run).toEqual({ status: 'completed', result: { removed: 1 } })
  expect(await holdpoint.recover()).toEqual({ recovered: 0 })
  await holdpoint.tick()
})

test('holdpoint.fetch works as documented', async () => {
  const answer = await holdpoint.fetch(
    new Request('http://localhost/holdpoint/sessions/task-43', { headers: { host: 'localhost' } }),
  )
  expect(answer.status).toBe(200)
  const body = (await answer.json()) as { interactions: unknown[]; you: unknown }
  expect(body.you).toMatchObject({ userId: 'ada' })
  expect(body.interactions).toHaveLength(4)
  await holdpoint.revoke(ADA)
})
