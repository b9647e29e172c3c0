import type { Holdpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { testAccounts } from '@holdpoint/server/testing'
import { withPolicy } from '@holdpoint/server/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { until } from './support/nodes.ts'
import { ADA, call, open } from './support/world.ts'

const QUESTION = { interactionId: 'i-1', callId: 'call-1', clientId: 'tab' }
const RECORD = { sessionId: 'chat', tenant: '', userId: 'ada' }

/** The calls that may come first in a process, while its database is still being reached. */
const verbs: Record<string, (holdpoint: Holdpoint) => unknown> = {
  'session.emit': (h) => chat(h).emit({ type: 'run_status', runId: 'r', status: 'running' }),
  'session.runTool': (h) => {
    const tool = h.tool({ name: 'delete_files', input: z.object({}), execute: async () => 'done' })
    return chat(h).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
  },
  'session.turn': (h) => chat(h).turn({ runId: 'run-1' }),
  'session.stop': (h) => chat(h).stop(),
  'session.cancelRun': (h) => chat(h).cancelRun('run-1'),
  'session.cancel': (h) => chat(h).cancel(),
  'session.declineWaiting': (h) => chat(h).declineWaiting(),
  'session.userActions': (h) => chat(h).userActions([{ type: 'global_event', event: 'opened' }]),
  'ctx.once': (h) =>
    chat(h)
      .toolCall(call())
      .once('mail', () => 'sent'),
  'ctx.ask': (h) => chat(h).toolCall(call()).tryApprove({ prompt: 'Go?', timeoutMs: 20 }),
  'gate.ask': (h) => chat(h).gate(call()).tryApprove({ rememberAs: 'k', prompt: 'Go?', timeoutMs: 20 }),
  'ctx.approvals.get': (h) => chat(h).toolCall(call()).approvals.get('k'),
  'ctx.approvals.set': (h) => chat(h).toolCall(call()).approvals.set('k', 'always'),
  'ctx.approvals.list': (h) => chat(h).toolCall(call()).approvals.list(),
  'ctx.approvals.revoke': (h) => chat(h).toolCall(call()).approvals.revoke('k'),
  'ctx.interaction.check': (h) => chat(h).toolCall(call()).interaction.check(),
  'ctx.update': (h) => chat(h).toolCall(call()).update({ status: 'halfway' }),
  'ctx.toolSetting': (h) => chat(h).toolCall(call()).toolSetting(),
  'ctx.connect': (h) =>
    chat(h)
      .toolCall(call())
      .tryConnect({ integrations: ['github'] }),
  'ctx.upload': (h) => chat(h).toolCall(call()).upload('handle'),
  'ctx.secret': (h) => chat(h).toolCall(call()).secret('secret:x'),
  'toolSettings.set': (h) => {
    const policy = { mode: 'confirm_before_execution', choices: { all: 'auto' } } as const
    h.tool(withPolicy({ name: 'delete_files', input: z.object({}), execute: () => 'done' }, policy))
    return h.toolSettings.set({ ...ADA, toolName: 'delete_files', choice: 'all' })
  },
  'toolSettings.list': (h) => h.toolSettings.list(ADA),
  'toolSettings.revoke': (h) => h.toolSettings.revoke({ ...ADA, toolName: 'delete_files' }),
  'approvals.list': (h) => h.approvals.list(ADA),
  'approvals.revoke': (h) => h.approvals.revoke({ ...ADA, toolName: 'delete_files', key: 'k' }),
  'sessions.get': (h) => h.sessions.get({ principal: ADA, sessionId: 'chat' }),
  'sessions.list': (h) => h.sessions.list(ADA),
  cancelRun: (h) => h.cancelRun({ principal: ADA, sessionId: 'chat', runId: 'run-1' }),
  recover: (h) => h.recover(),
  tick: (h) => h.tick(),
  eraseSession: (h) => h.eraseSession({ sessionId: 'chat' }),
  eraseUser: (h) => h.eraseUser(ADA),
  'engine.access': (h) => engineOf(h).access(ADA, 'chat', 'read'),
  'engine.snapshot': (h) => engineOf(h).snapshot(ADA, RECORD as never),
  'engine.inbox': (h) => engineOf(h).inbox(ADA, {}),
  'engine.settled': (h) => engineOf(h).settled(ADA, {}),
  'engine.answer': (h) =>
    engineOf(h).answer(ADA, 'chat', {
      ...{ type: 'tool_interaction_response', ...QUESTION },
      ...{ answerId: 'a', action: 'approve', shownDigest: 'd' },
    } as never),
  'engine.extend': (h) => engineOf(h).extend(ADA, 'chat', { type: 'extend_interaction', ...QUESTION } as never),
  'engine.cancelRun': (h) => engineOf(h).cancelRun(ADA, 'chat', { type: 'cancel_run', runId: 'run-1' } as never),
  'engine.toolSettings': (h) => engineOf(h).toolSettings(ADA),
  'engine.setToolSetting': (h) => engineOf(h).setToolSetting(ADA, { toolName: 'delete_files', choice: 'all' }),
  'engine.connect': (h) => engineOf(h).connect(ADA, 'chat', { interactionId: 'i-1', integration: 'slack' }),
  'engine.submitAuthResult': (h) => engineOf(h).submitAuthResult(ADA, 'chat', { integration: 'slack' } as never),
  'engine.readState': (h) => engineOf(h).readState(RUN),
  'engine.writeState': (h) => engineOf(h).writeState(RUN, { text: 'state', writes: 0 }),
  'engine.upload': (h) =>
    engineOf(h).upload(ADA, 'chat', {
      ...{ interactionId: 'i-1', fieldId: 'f', name: 'a.txt', type: 'text/plain' },
      bytes: new Uint8Array(1),
    }),
}
const RUN = { tenant: '', sessionId: 'chat', userId: 'ada', runId: 'run-1' }
const chat = (holdpoint: Holdpoint) => holdpoint.session('chat', ADA)

/** A store that takes its time to open, and remembers who did not wait for it. */
function slowToOpen() {
  const store = memoryStore()
  const early: string[] = []
  let isOpen = false
  let asked = false
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const watched = (['load', 'list', 'byTag', 'due', 'commit', 'readLog', 'snapshot', 'erase'] as const).map((name) => [
    name,
    (...args: unknown[]) => {
      if (!isOpen) early.push(name)
      return (store[name] as (...all: unknown[]) => unknown)(...args)
    },
  ])
  const slow: Store = {
    ...store,
    ...Object.fromEntries(watched),
    async open() {
      asked = true
      await released
      await store.open?.()
      isOpen = true
    },
  }
  return { store: slow, early, release, asked: () => asked }
}

test.each(Object.entries(verbs))('%s waits until the store is open', async (_name, verb) => {
  const slow = slowToOpen()
  const accounts = testAccounts()
  accounts.set(ADA, 'github')
  const vaultKeys = [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }]
  const holdpoint = open({ store: slow.store, accounts, security: { vaultKeys } })
  // The result is tested elsewhere: most calls are refused, because the store is empty.
  const done = Promise.resolve(verb(holdpoint)).catch(() => {})
  await until(slow.asked, 'opening the store')
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  slow.release()
  await done
  expect(slow.early).toEqual([])
})
