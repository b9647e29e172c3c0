import type { HoldpointOptions, ToolResultDelivery } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clusters, sleep } from './support/nodes.ts'
import { ADA, call, open, person } from './support/world.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1' }
const [, makeSqlite] = clusters.find(([name]) => name === 'sqlite')!

/**
 * Serverless: each request is its own process, which ends when the work that was passed to `waitUntil` has finished.
 */
function serverless({ imageMs = 60_000 } = {}) {
  const cluster = makeSqlite()
  const ran: string[] = []
  const delivered: ToolResultDelivery[] = []
  let requests = 0

  return {
    ran,
    delivered,
    /** One request: its work, and what `waitUntil` was given; then the process is gone. */
    async request<T>(
      work: (app: ReturnType<typeof instance>) => Promise<T>,
      options: HoldpointOptions = {},
    ): Promise<T> {
      const app = instance(options)
      const value = await work(app)
      for (let before = -1; before !== app.pending.length; ) {
        before = app.pending.length
        await Promise.all(app.pending)
      }
      app.store.die()
      return value
    },
  }

  function instance(options: HoldpointOptions) {
    const name = `r${++requests}`
    const pending: Promise<unknown>[] = []
    const node = cluster.node({
      waiting: 'suspend',
      waitUntil: (promise) => void pending.push(promise),
      ...options,
      hooks: { onToolResult: (delivery) => void delivered.push(delivery), ...options.hooks },
    })
    const tool = node.holdpoint.tool({
      name: 'publish',
      input: z.object({ title: z.string() }),
      execute: async ({ title }, ctx) => {
        ran.push(name)
        const [text, image] = await Promise.all([
          ctx.approve({ rememberAs: 'text', prompt: `Text of ${title}?` }),
          ctx.requestInteraction({
            type: 'approval',
            key: 'image',
            prompt: 'Image?',
            whenUnavailable: 'wait',
            timeoutMs: imageMs,
            onResponse: ({ action }) => ({ complete: action }),
            onTimeout: () => ({ complete: 'timed out' }),
          }),
        ])
        return [text.scope, image]
      },
    })
    const pay = node.holdpoint.tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      execute: async (args, ctx) => (await ctx.approve({ prompt: 'Pay?', args, ...editable })).args,
    })
    const session = node.holdpoint.session('chat', ADA)
    const run = () => session.runTool(tool, { title: 'A' }, CALL)
    const runPay = () => session.runTool(pay, { amount: 2 }, CALL)
    return { ...node, human: testHuman(node.holdpoint, ADA), run, runPay, pending }
  }
}

/** Edits that a person may make, and edits that the tool rejects. */
const editable = { editable: true, policy: (args: unknown) => (args as { amount: number }).amount < 10 || 'Too much.' }

describe('suspend mode', () => {
  test('ends the run at its questions, and runs the tool again in another process after they are settled', async () => {
    const app = serverless()
    const suspended = await app.request(({ run }) => run())
    expect(suspended).toMatchObject({ status: 'suspended', interactionIds: [expect.any(String), expect.any(String)] })
    await app.request(async ({ human }) => {
      const questions = await human.waiting()
      expect(questions.map(({ prompt }) => prompt).sort()).toEqual(['Image?', 'Text of A?'])
      await human.approve(questions.find(({ prompt }) => prompt === 'Text of A?')!, { approvalScope: 'session' })
    })
    expect(app.ran).toEqual(['r1', 'r2'])
    await app.request(async ({ human }) => human.deny((await human.waiting())[0]!))
    expect(app.ran).toEqual(['r1', 'r2', 'r3'])
    expect(app.delivered).toMatchObject([{ status: 'completed', result: ['session', 'deny'] }])
    expect(await app.request(({ run }) => run())).toEqual({ status: 'completed', result: ['session', 'deny'] })
    expect(app.delivered).toHaveLength(1)
  })

  test('returns `suspended` for a repeated call without running the tool', async () => {
    const app = serverless()
    const first = await app.request(({ run }) => run())
    expect(await app.request(({ run }) => run())).toEqual(first)
    expect(app.ran).toEqual(['r1'])
  })

  test('ends the run again at a reprompt, and no process waits for the answer', async () => {
    const app = serverless()
    await app.request(({ runPay }) => runPay())
    await app.request(async ({ human }) => human.approve((await human.waiting())[0]!, { args: { amount: 13 } }))
    const again = await app.request(async ({ human }) => (await human.waiting())[0]!)
    expect(again.request).toMatchObject({ error: 'Too much.', args: { amount: 2 } })
    expect(await app.request(({ runPay }) => runPay())).toEqual({
      status: 'suspended',
      interactionIds: [again.interactionId],
    })
    await app.request(async ({ human }) => human.approve((await human.waiting())[0]!, { args: { amount: 3 } }))
    expect(app.delivered).toMatchObject([{ status: 'completed', result: { amount: 3 } }])
  })

  test('enforces an overdue timeout at the next read, answer or tick', async () => {
    for (const how of ['read', 'answer', 'tick'] as const) {
      const app = serverless({ imageMs: 400 })
      await app.request(({ run }) => run())
      const [image] = await app.request(async ({ human }) => {
        const questions = await human.waiting()
        await human.approve(questions.find(({ prompt }) => prompt === 'Text of A?')!)
        return questions.filter(({ prompt }) => prompt === 'Image?')
      })
      await sleep(420)
      await app.request(async ({ holdpoint, human }) => {
        if (how === 'tick') await holdpoint.tick()
        else if (how === 'read') await person(holdpoint).snapshot()
        else
          await expect(human.approve(image!)).rejects.toMatchObject({ code: expect.stringMatching(/settling|expired/) })
      })
      expect(app.delivered, how).toMatchObject([{ result: ['once', 'timed out'] }])
    }
  })

  test('runs the tool at the next tick if the process was frozen before it could', async () => {
    const app = serverless()
    await app.request(({ run }) => run())
    await app.request(async ({ human, store }) => {
      const questions = await human.waiting()
      // Dies right after the answer is in.
      let commits = 0
      store.onCall(({ name }) => (name === 'commit' && ++commits === 1 ? 'die after' : undefined))
      void human.approve(questions.find(({ prompt }) => prompt === 'Text of A?')!)
      while (!store.dead) await sleep(1)
    })
    await app.request(async ({ human }) => human.approve((await human.waiting())[0]!))
    await app.request(({ holdpoint }) => holdpoint.tick())
    expect(app.delivered).toMatchObject([{ result: ['once', 'approve'] }])
  })

  test('ends the call if the run is cancelled while it is suspended', async () => {
    const app = serverless()
    await app.request(({ run }) => run())
    await app.request(({ holdpoint }) => holdpoint.session('chat', ADA).cancelRun('run-1'))
    expect(app.delivered).toMatchObject([{ status: 'refused', result: { refused: 'cancelled' } }])
    await expect(app.request(({ run }) => run())).rejects.toMatchObject({ outcome: 'cancelled' })
  })
})

test('suspend mode rejects a bare context and a memory store', async () => {
  const app = serverless()
  await app.request(async ({ holdpoint }) => {
    const bare = holdpoint.session('chat', ADA).toolCall(call())
    await expect(bare.approve({ prompt: 'Go?' })).rejects.toMatchObject({ code: 'suspend_needs_tool' })
  })
  const memory = open({ store: memoryStore(), waiting: 'suspend' })
  const tool = memory.tool({ name: 'x', input: z.object({}), execute: () => 1 })
  await expect(memory.session('chat', ADA).runTool(tool, {}, CALL)).rejects.toMatchObject({
    code: 'suspend_needs_store',
  })
})

test('gate() asks without waiting, and returns the answer when it is called again', async () => {
  const { holdpoint } = makeSqlite().node({ waiting: 'suspend' })
  const human = testHuman(holdpoint, ADA)
  const gate = () =>
    holdpoint
      .session('chat', ADA)
      .gate(call())
      .tryApprove({ rememberAs: 'k', prompt: 'Go?', args: { n: 1 } })
  await expect(gate()).rejects.toMatchObject({
    code: 'interaction_waiting',
    details: { interactionId: expect.any(String) },
  })
  await expect(gate()).rejects.toMatchObject({ code: 'interaction_waiting' })
  expect(await human.waiting()).toHaveLength(1)
  await human.approve((await human.waiting())[0]!)
  expect(await gate()).toMatchObject({ outcome: 'approved', args: { n: 1 } })
  const tool = holdpoint.tool({ name: 'delete_files', input: z.object({ n: z.number() }), execute: ({ n }) => n })
  expect(await holdpoint.session('chat', ADA).runTool(tool, { n: 1 }, CALL)).toEqual({ status: 'completed', result: 1 })
})

test('gate() does not wait for a reprompt', async () => {
  const { holdpoint } = makeSqlite().node()
  const human = testHuman(holdpoint, ADA)
  const gate = () =>
    holdpoint
      .session('chat', ADA)
      .gate(call())
      .tryApprove({ rememberAs: 'k', prompt: 'Go?', args: { amount: 2 }, ...editable })
  const waiting = { code: 'interaction_waiting' }
  await expect(gate()).rejects.toMatchObject(waiting)
  const first = await human.next()
  await human.approve(first, { args: { amount: 13 } })
  const rejected = await gate().catch((error) => error)
  const second = await human.next()
  expect(rejected).toMatchObject({ ...waiting, details: { interactionId: second.interactionId } })
  expect(second.interactionId).not.toBe(first.interactionId)
  await human.approve(second)
  expect(await gate()).toMatchObject({ outcome: 'approved', args: { amount: 2 } })
})
