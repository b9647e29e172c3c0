import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { clusters } from './support/nodes.ts'
import { ADA, call } from './support/world.ts'

/**
 * A bare call that runs again after its process died: it gets what was answered, waits on what is open without a
 * second card, and never receives another question's answer.
 */
describe.each(clusters)('%s: a tool call that runs again', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const first = cluster.node()
    const second = cluster.node()
    const human = testHuman(second.holdpoint, ADA)
    const ctx = (node: typeof first) => node.holdpoint.session('chat', ADA).toolCall(call())
    const asked = async () => {
      const session = await engineOf(second.holdpoint).access(ADA, 'chat', 'read')
      if (!session) return 0
      const { interactions } = await engineOf(second.holdpoint).snapshot(ADA, session)
      return interactions.length
    }
    return { first, second, human, ctx, asked }
  }

  test('receives the answer from before the crash, without asking again', async () => {
    const { first, second, human, ctx, asked } = world()
    void ctx(first).approve({ rememberAs: 'a', prompt: 'A?' })
    const question = await human.next()
    first.kill()
    await human.approve(question, { approvalScope: 'session' })
    expect(await ctx(second).approve({ rememberAs: 'a', prompt: 'A?' })).toMatchObject({
      scope: 'session',
      remembered: false,
    })
    expect(await asked()).toBe(1)
  })

  test('waits on the open question, without a second card', async () => {
    const { first, second, human, ctx, asked } = world()
    void ctx(first).ask({ fields: [{ id: 'x', type: 'text', label: 'X' }] })
    const question = await human.next()
    first.kill()
    const again = ctx(second).ask({ fields: [{ id: 'x', type: 'text', label: 'X' }] })
    await human.fill(question, { x: '1' })
    expect(await again).toEqual({ x: '1' })
    expect(await asked()).toBe(1)
  })

  test('and skips a question because its approval is remembered does not receive the answer to the next question', async () => {
    const { first, second, human, ctx } = world()
    const tool = async (node: typeof first) => {
      const context = ctx(node)
      const steps: string[] = []
      for (const step of ['read', 'write']) {
        if (await context.approvals.get(step)) {
          steps.push(`${step}: remembered`)
          continue
        }
        const base = { type: 'approval', prompt: `${step}?`, whenUnavailable: 'wait' } as const
        steps.push(
          await context.requestInteraction({
            ...base,
            onResponse: ({ action }) => ({ complete: `${step}: ${action}` }),
          }),
        )
      }
      return steps
    }
    void tool(first)
    await human.approve(await human.next())
    const write = await human.next()
    first.kill()
    // In the meantime the user approves "read" for always. The journal still contains the question.
    await second.holdpoint.session('chat', ADA).toolCall(call('other')).approvals.set('read', 'always')
    const again = tool(second)
    await human.deny(write)
    expect(await again).toEqual(['read: approve', 'write: deny'])
  })

  test('and asks in another order receives each answer for its own question', async () => {
    const { first, second, human, ctx } = world()
    const approve = (node: typeof first, context: ReturnType<typeof ctx>, what: string) =>
      context
        .tryApprove({ rememberAs: what, prompt: `${what}?` })
        .then(({ outcome }) => `${what} ${outcome} ${node === first ? 1 : 2}`)
    const before = ctx(first)
    void approve(first, before, 'a').then(() => approve(first, before, 'b'))
    await human.approve(await human.next())
    await human.deny(await human.next())
    first.kill()
    const after = ctx(second)
    const outcomes = [await approve(second, after, 'b'), await approve(second, after, 'a')]
    expect(outcomes).toEqual(['b denied 2', 'a approved 2'])
  })

  test('and asks something else under the same key supersedes the old question [T12.4]', async () => {
    const { first, second, human, ctx } = world()
    const ask = (node: typeof first, prompt: string) => ctx(node).tryApprove({ rememberAs: 'k', prompt })
    ask(first, 'Delete a?').catch(() => {})
    const old = await human.next()
    await human.approve(old)
    ask(first, 'Delete b?').catch(() => {})
    const open = await human.next()
    human.ignore(open)
    first.kill()
    const again = ask(second, 'Delete everything?')
    const asked = await human.next()
    expect(asked).toMatchObject({ prompt: 'Delete everything?' })
    expect(asked.request).toMatchObject({ replaces: open.interactionId, attempt: 3 })
    await expect(human.approve(open)).rejects.toMatchObject({ code: 'superseded' })
    await human.deny(asked)
    expect(await again).toMatchObject({ outcome: 'denied' })
  })

  test('and asks in a loop receives the answer of each iteration', async () => {
    const { first, second, human, ctx, asked } = world()
    const loop = async (node: typeof first) => {
      const context = ctx(node)
      const got: unknown[] = []
      for (let turn = 0; turn < 3; turn++) {
        const fields = [{ id: 'n', type: 'integer', label: 'Number' }] as const
        got.push((await context.ask({ key: 'number', fields })).n)
      }
      return got
    }
    void loop(first)
    for (const n of [1, 2]) await human.fill(await human.next(), { n })
    const third = await human.next()
    first.kill()
    const again = loop(second)
    await human.fill(third, { n: 3 })
    expect(await again).toEqual([1, 2, 3])
    expect(await asked()).toBe(3)
  })

  test('and asks in parallel finds each question by its key', async () => {
    const { first, second, human, ctx } = world()
    const both = (node: typeof first) => {
      const context = ctx(node)
      const ask = (key: string) => context.ask({ key, prompt: key, fields: [{ id: 'v', type: 'text', label: key }] })
      return Promise.all([ask('left'), ask('right')])
    }
    void both(first)
    const one = await human.next()
    await human.fill(one, { v: one.prompt })
    const other = await human.next()
    first.kill()
    const again = both(second)
    await human.fill(other, { v: other.prompt })
    expect(await again).toEqual([{ v: 'left' }, { v: 'right' }])
  })

  test('and asks two questions at once under no key is rejected with an error code', async () => {
    const { second, human, ctx } = world()
    const context = ctx(second)
    const first = context.approve({ prompt: 'One?' })
    await expect(context.approve({ prompt: 'Two?' })).rejects.toMatchObject({ code: 'key_required' })
    await human.approve(await human.next())
    expect(await first).toMatchObject({ outcome: 'approved' })
    const third = context.approve({ prompt: 'Three?' })
    await human.approve(await human.next())
    expect(await third).toMatchObject({ outcome: 'approved' })
  })

  test('in another run with the same tool call id inherits no answer', async () => {
    const { second, human } = world()
    const session = second.holdpoint.session('chat', ADA)
    const yes = session.toolCall(call('call-1', 'run-1')).approve({ prompt: 'Delete?' })
    await human.approve(await human.next())
    await yes
    const other = session.toolCall(call('call-1', 'run-2')).tryApprove({ prompt: 'Delete?' })
    await human.deny(await human.next())
    expect(await other).toMatchObject({ outcome: 'denied' })
  })

  test('does not repeat a completed `once`, and repeats an interrupted one with the same idempotency key', async () => {
    const { first, second, ctx } = world()
    const charges: string[] = []
    const before = ctx(first)
    expect(await before.once('mail', () => 'sent')).toBe('sent')
    void before.once('charge', async ({ idempotencyKey }) => {
      charges.push(idempotencyKey)
      first.kill()
      return 'lost'
    })
    while (charges.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const after = ctx(second)
    expect(await after.once('mail', () => 'sent twice')).toBe('sent')
    const charge = await after.once('charge', ({ idempotencyKey }) => {
      charges.push(idempotencyKey)
      return 'charged'
    })
    expect(charge).toBe('charged')
    expect(new Set(charges).size).toBe(1)
    expect(charges).toHaveLength(2)
    expect(await ctx(second).once('charge', () => 'again')).toBe('charged')
  })

  test('repeats a failed `once` with the same idempotency key', async () => {
    const { first, ctx } = world()
    const charge = ctx(first)
    const keys: string[] = []
    const effect = ({ idempotencyKey }: { idempotencyKey: string }) => {
      keys.push(idempotencyKey)
      if (keys.length === 1) throw new Error('the bank is away')
      return 'charged'
    }
    await expect(charge.once('charge', effect)).rejects.toThrow('the bank is away')
    expect(await charge.once('charge', effect)).toBe('charged')
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test('reads the approval for once that its first execution consumed', async () => {
    const { first, second, ctx } = world()
    const session = second.holdpoint.session('chat', ADA)
    await session.toolCall(call('setup')).approvals.set(['k'], 'once')
    expect(await ctx(first).approvals.get(['k'])).toBe('once')
    first.kill()
    const again = ctx(second)
    expect(await again.approvals.get(['k'])).toBe('once')
    expect(await again.approvals.get(['k'])).toBeNull()
    expect(await session.toolCall(call('another')).approvals.get(['k'])).toBeNull()
  })
})
