import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { faultyStore, testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { engineOf } from '../../src/http/mounted.ts'
import { until } from './support/nodes.ts'
import { ADA, BOB } from './support/world.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1' }

/** Instances of a function on one file. Each lives for some requests; the clock of the store is the test's. */
function platform(options: HoldpointOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-catch-up-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const delivered: unknown[] = []
  const ran: string[] = []
  let offset = 0
  return {
    delivered,
    ran,
    pass(ms: number) {
      offset += ms
    },
    instance(name: string) {
      const pending: Promise<unknown>[] = []
      const backing = sqliteStore({ path: join(folder, 'data.db'), now: () => Date.now() + offset })
      const store = faultyStore(backing)
      const holdpoint = createHoldpoint({
        store,
        waiting: 'suspend',
        waitUntil: (work) => void pending.push(work),
        ...options,
        hooks: { onToolResult: ({ result }) => void delivered.push(result), ...options.hooks },
      })
      onTestFinished(() => (store.dead ? backing.close() : holdpoint.close()))
      const tool = holdpoint.tool({
        name: 'publish',
        input: z.object({}),
        execute: async (_input, ctx) => {
          ran.push(name)
          await ctx.approve({ prompt: 'Go?' })
          return name
        },
      })
      return {
        store,
        holdpoint,
        run: () => holdpoint.session('chat', ADA).runTool(tool, {}, CALL),
        human: testHuman(holdpoint, { ...ADA, present: false }),
        /** Waits for the work that was passed to the platform. */
        async done() {
          for (let before = -1; before !== pending.length; ) {
            before = pending.length
            await Promise.all(pending)
          }
        },
      }
    },
  }
}

/** Asks on one instance, answers on a second one, which is frozen for good with the `nth` commit from the answer on. */
async function frozenAfter(app: ReturnType<typeof platform>, nth: number) {
  const first = app.instance('first')
  await first.run()
  await first.done()
  const second = app.instance('second')
  const question = await second.human.next()
  await second.done()
  let commits = 0
  second.store.onCall(({ name }) => (name === 'commit' && ++commits === nth ? 'die after' : undefined))
  void second.human.approve(question).catch(() => {})
  await until(() => second.store.dead, 'the end of the instance')
}

test('a call whose process is frozen right after the answer is completed by any request five seconds later', async () => {
  const app = platform()
  await frozenAfter(app, 1)
  const third = app.instance('third')
  await engineOf(third.holdpoint).inbox(BOB, {})
  await third.done()
  expect(app.delivered).toEqual([])
  app.pass(5_000)
  const fourth = app.instance('fourth')
  await engineOf(fourth.holdpoint).inbox(BOB, {})
  await fourth.done()
  expect(app.delivered).toEqual(['fourth'])
  expect(app.ran).toEqual(['first', 'fourth'])
})

test('a call whose process is frozen while it runs the tool again is completed by a request after its lease has expired', async () => {
  const app = platform()
  // The answer, the heartbeat, the claim.
  await frozenAfter(app, 3)
  app.pass(6_000)
  const third = app.instance('third')
  expect(await engineOf(third.holdpoint).access(BOB, 'elsewhere', 'read')).toBeNull()
  await third.done()
  expect(app.delivered).toEqual([])
  app.pass(10_000)
  const fourth = app.instance('fourth')
  expect(await engineOf(fourth.holdpoint).access(BOB, 'elsewhere', 'read')).toBeNull()
  await fourth.done()
  expect(app.delivered).toEqual(['fourth'])
})

test('requests look for overdue work at intervals, not each time', async () => {
  const { store, holdpoint, done } = platform().instance('one')
  let looks = 0
  store.onCall(({ name }) => void (name === 'due' && looks++))
  await engineOf(holdpoint).inbox(BOB, {})
  await done()
  const once = looks
  for (let n = 0; n < 20; n++) await engineOf(holdpoint).inbox(BOB, {})
  await done()
  expect(once).toBeGreaterThan(0)
  expect(looks).toBe(once)
})

test('requests do not look for overdue work if processes keep running, because timers do', async () => {
  const { store, holdpoint } = platform({ waiting: 'inline' }).instance('one')
  const kinds: string[] = []
  const { due } = store
  store.due = (kind, options) => {
    kinds.push(kind)
    return due(kind, options)
  }
  await engineOf(holdpoint).inbox(BOB, {})
  await until(() => kinds.includes('question') && kinds.includes('delivery'), 'what the clock does at the start')
  expect(kinds).not.toContain('node')
})
