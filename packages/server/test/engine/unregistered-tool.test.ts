import type { FollowUpDelivery, HoldpointOptions, ToolResultDelivery } from '@holdpoint/server'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { clusters, type Node } from './support/nodes.ts'
import { ADA, person } from './support/world.ts'

const deploy = ({ holdpoint }: Node) =>
  holdpoint.tool({
    name: 'deploy',
    input: z.object({}),
    execute: async (_input, ctx) => (await ctx.approve({ prompt: 'Deploy?', whenUnavailable: 'wait' })).scope,
  })
const quiet = { debug() {}, info() {}, error() {} }

describe.each(clusters)('a durable tool that the next process does not register, on %s', (name, make) => {
  const world = (options: HoldpointOptions = {}) => {
    const { node } = make()
    const followUps: FollowUpDelivery[] = []
    const results: ToolResultDelivery[] = []
    const warned: unknown[] = []
    const next = () =>
      node({
        logger: { ...quiet, warn: (_message, facts) => void warned.push(facts?.code) },
        ...options,
        hooks: {
          onFollowUp: (one) => void followUps.push(one),
          onToolResult: (one) => void results.push(one),
          ...options.hooks,
        },
      })
    return { first: node(options), next, followUps, results, warned }
  }

  test.each([
    ['before its process dies', true],
    ['after', false],
  ])(
    'an answer given %s leaves as an orphaned follow-up, and a warning names the tool [R9e.1]',
    async (_when, early) => {
      const { first, next, followUps, warned } = world()
      const run = first.holdpoint.session('chat', ADA).runTool(deploy(first), {}, { runId: 'r', toolCallId: 't' })
      run.catch(() => {})
      const question = await person(first.holdpoint).next()
      const second = next()
      if (early) first.kill()
      await vi.waitFor(async () => expect(await second.holdpoint.recover()).toEqual({ recovered: 0 }))
      if (!early) {
        first.kill()
        await vi.waitFor(() => expect(warned).toContain('tool_not_registered'), 5_000)
      }
      expect((await person(second.holdpoint).answer(question, { action: 'approve' })).status).toBe(200)
      await vi.waitFor(() => expect(followUps).toHaveLength(1), 5_000)
      expect(followUps).toMatchObject([{ reason: 'orphaned', toolName: 'deploy', answer: { action: 'approve' } }])
      expect(warned).toContain('tool_not_registered')
    },
  )

  test('a process that registers the tool in time runs it with the answer and sends no follow-up [R9e.2]', async () => {
    const { first, next, followUps, results, warned } = world({ timing: { orphanAfterMs: 60_000 } })
    first.holdpoint
      .session('chat', ADA)
      .runTool(deploy(first), {}, { runId: 'r', toolCallId: 't' })
      .catch(() => {})
    const question = await person(first.holdpoint).next()
    first.kill()
    const second = next()
    await second.holdpoint.recover()
    await vi.waitFor(() => expect(warned).toContain('tool_not_registered'), 5_000)
    expect((await person(second.holdpoint).answer(question, { action: 'approve' })).status).toBe(200)
    const third = next()
    deploy(third)
    await third.holdpoint.recover()
    await vi.waitFor(() => expect(results).toMatchObject([{ status: 'completed', result: 'once' }]), 5_000)
    expect(followUps).toEqual([])
  })

  test('an answer in suspend mode is delivered as an orphaned follow-up as well', async (context) => {
    if (name === 'memory') return context.skip('suspend mode refuses a memory store')
    const { first, next, followUps } = world({ waiting: 'suspend' })
    await first.holdpoint.session('chat', ADA).runTool(deploy(first), {}, { runId: 'r', toolCallId: 't' })
    const question = await person(first.holdpoint).next()
    first.kill()
    const second = next()
    expect((await person(second.holdpoint).answer(question, { action: 'approve' })).status).toBe(200)
    await vi.waitFor(
      async () => {
        await second.holdpoint.tick()
        expect(followUps).toMatchObject([{ reason: 'orphaned', toolName: 'deploy' }])
      },
      { timeout: 9_000, interval: 200 },
    )
  }, 12_000)
})
