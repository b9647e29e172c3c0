import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { frozenAfter } from './support/frozen-store.ts'
import { clusters, until } from './support/nodes.ts'
import { ADA, call, open, person } from './support/world.ts'

/** A call has one owner: earlier owners cannot write anything. */
describe.each(clusters)('%s', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const [first, second] = [cluster.node(), cluster.node()]
    const ctx = (node: typeof first) => node.holdpoint.session('chat', ADA).toolCall(call())
    return { first, second, ctx, human: testHuman(second.holdpoint, ADA) }
  }

  test('an execution that lost the call starts no effect, consumes no remembered approval, and asks nothing', async () => {
    const { first, second, ctx } = world()
    const before = ctx(first)
    await before.once('begin', () => 1)
    await ctx(second).approvals.set('k', 'once')
    let ran = 0
    await expect(before.once('effect', () => ran++)).rejects.toMatchObject({ code: 'ownership_lost' })
    await expect(before.approvals.get('k')).rejects.toMatchObject({ code: 'ownership_lost' })
    await expect(before.approve({ prompt: 'Go?' })).rejects.toMatchObject({ code: 'ownership_lost' })
    expect(ran).toBe(0)
    expect(await ctx(second).approvals.get('k')).toBe('once')
    expect((await person(second.holdpoint).snapshot()).interactions).toEqual([])
  })

  test('an execution that loses the call while its handler runs does not decide the outcome', async () => {
    const { first, second, ctx, human } = world()
    let decide: (() => void) | undefined
    const lost = expect(
      ctx(first).requestInteraction({
        type: 'approval',
        key: 'k',
        prompt: 'Go?',
        whenUnavailable: 'wait',
        onResponse: async () => {
          await new Promise<void>((resolve) => {
            decide = resolve
          })
          return { complete: 'by the first' }
        },
      }),
    ).rejects.toMatchObject({ code: 'ownership_lost' })
    await human.approve(await human.next())
    await until(() => decide !== undefined, 'the handler')
    const after = ctx(second)
    await after.once('mine now', () => 1)
    decide?.()
    await lost
    const result = after.requestInteraction({
      type: 'approval',
      key: 'k',
      prompt: 'Go?',
      whenUnavailable: 'wait',
      onResponse: () => ({ complete: 'by the second' }),
    })
    expect(await result).toBe('by the second')
  })

  test('a gate takes no call from a running execution, and asks nothing for a completed call', async () => {
    const { first, second, human } = world()
    const tool = first.holdpoint.tool({
      name: 'delete_files',
      input: z.object({}),
      execute: async (_input, ctx) => (await ctx.approve({ prompt: 'Go?' })).outcome,
    })
    const running = first.holdpoint.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
    const question = await human.next()
    const pass = () =>
      second.holdpoint.session('chat', ADA).gate(call()).tryApprove({ rememberAs: 'gate', prompt: 'May it?' })
    await expect(pass()).rejects.toMatchObject({ code: 'call_begun', details: { status: 'running' } })
    await human.approve(question)
    expect(await running).toEqual({ status: 'completed', result: 'approved' })
    await expect(pass()).rejects.toMatchObject({ code: 'call_begun', details: { status: 'finished' } })
    expect((await person(second.holdpoint).snapshot()).interactions).toHaveLength(1)
  })
})

test('a node whose claim took longer than its lease does not run a tool that another node took over meanwhile [T26.2]', async () => {
  const shared: Store = { ...memoryStore(), close: async () => {} }
  // The database has the claim. Its response is late, and so is everything that follows on this connection.
  const slow = frozenAfter(shared, (item) => item.puts?.some(({ kind }) => kind === 'call') ?? false)
  const [first, second] = [slow.store, shared].map((store) => open({ store, timing: { leaseMs: 100 } }))
  const ran: string[] = []
  const run = (node: typeof first, name: string) => {
    const execute = async () => {
      ran.push(name)
      return name
    }
    const tool = node!.tool({ name: 'delete_files', input: z.object({}), execute })
    return node!.session('chat', ADA).runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
  }
  const late = run(first, 'first')
  await until(slow.isFrozen, 'the claim')
  expect(await run(second, 'second')).toEqual({ status: 'completed', result: 'second' })
  slow.thaw()
  expect(await late).toEqual({ status: 'completed', result: 'second' })
  expect(ran).toEqual(['second'])
})
