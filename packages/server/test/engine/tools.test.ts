import type { HoldpointOptions, ToolResultDelivery } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clusters, type Node, sleep, until } from './support/nodes.ts'
import { ADA, call, person } from './support/world.ts'

const CALL = { runId: 'run-1', toolCallId: 'call-1' }

/** Registered tools: run again after a crash, recorded once, delivered at least once. */
describe.each(clusters)('%s: a registered tool', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const delivered: ToolResultDelivery[] = []
    const ran: string[] = []
    const node = (name: string, options: HoldpointOptions = {}) => {
      const made = cluster.node({
        ...options,
        hooks: { onToolResult: (delivery) => void delivered.push(delivery), ...options.hooks },
      })
      const tool = made.holdpoint.tool({
        name: 'deploy',
        input: z.object({ target: z.string() }),
        execute: async ({ target }, ctx) => {
          ran.push(`${name} start`)
          const { scope } = await ctx.approve({ rememberAs: ['deploy', target], prompt: `Deploy ${target}?` })
          const id = await ctx.once('deploy', () => {
            ran.push(`${name} deploy`)
            return `${target}-1`
          })
          return { id, scope }
        },
      })
      const run = (options = {}, input = { target: 'prod' }) =>
        made.holdpoint.session('chat', ADA).runTool(tool, input, { ...CALL, ...options })
      return { ...made, tool, run }
    }
    return { cluster, node, delivered, ran }
  }
  const humanAt = ({ holdpoint }: Node) => testHuman(holdpoint, ADA)

  test('runs once, and later callers receive the record', async () => {
    const { node, ran, delivered } = world()
    const [one, two] = [node('one'), node('two')]
    const running = [one.run(), one.run(), two.run()]
    await humanAt(two).approve(await humanAt(two).next())
    const result = { status: 'completed', result: { id: 'prod-1', scope: 'once' } }
    expect(await Promise.all(running)).toEqual([result, result, result])
    expect(await two.run()).toEqual(result)
    expect(ran).toEqual(['one start', 'one deploy'])
    await sleep(250)
    expect(delivered).toEqual([])
    const types = (await person(one.holdpoint).events()).map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('tool_call'))).toEqual(['tool_call_start', 'tool_call_complete'])
  })

  test('rejects a call with the same id and another input or tool', async () => {
    const { node } = world()
    const one = node('one')
    void one.run().catch(() => {})
    await humanAt(one).next()
    await humanAt(one).approve((await humanAt(one).waiting())[0]!)
    await one.run()
    await expect(one.run({}, { target: 'staging' })).rejects.toMatchObject({ code: 'call_mismatch' })
    await expect(one.run({ toolCallId: 'new' }, { target: 7 } as never)).rejects.toMatchObject({
      code: 'invalid_tool_input',
    })
  })

  test('rejects a call that was first made in another way, and the error names that way', async () => {
    const { node } = world()
    const one = node('one')
    const session = one.holdpoint.session('chat', ADA)
    await session.toolCall(call('bare', 'run-1', 'deploy')).once('begin', () => 1)
    await expect(one.run({ toolCallId: 'bare' })).rejects.toMatchObject({
      code: 'call_mismatch',
      message: expect.stringContaining('was made with session.toolCall before'),
    })
    const run = one.holdpoint.tool({ name: 'delete_files', input: z.object({}), execute: () => 'done' })
    await session.runTool(run, {}, { runId: 'run-1', toolCallId: 'run' })
    await expect(session.toolCall(call('run')).once('begin', () => 1)).rejects.toMatchObject({
      code: 'call_mismatch',
      message: expect.stringContaining('was made with runTool before'),
    })
  })

  test('whose process dies while it waits is recovered by another process, which does not ask again', async () => {
    const { node, ran, delivered } = world()
    const events: string[] = []
    const [one, two] = [node('one'), node('two', { hooks: { onEvent: ({ type }) => void events.push(type) } })]
    const human = humanAt(two)
    void one.run()
    const question = await human.next()
    one.kill()
    // Usually 0, because the lease lasts for another moment. On a loaded machine it may be over.
    expect((await two.holdpoint.recover()).recovered).toBeLessThanOrEqual(1)
    await until(async () => ran.includes('two start'), 'recovery')
    expect(events.filter((type) => type.startsWith('call_'))).toEqual(['call_recovered'])
    await human.approve(question, { approvalScope: 'session' })
    await until(() => delivered.length > 0, 'delivery')
    expect(delivered).toMatchObject([
      { status: 'completed', toolName: 'deploy', result: { id: 'prod-1', scope: 'session' } },
    ])
    expect(ran).toEqual(['one start', 'two start', 'two deploy'])
    await sleep(250)
    expect(delivered).toHaveLength(1)
    expect((await person(two.holdpoint).snapshot()).interactions).toHaveLength(1)
  })

  test('whose process dies after the answer is recovered and receives the answer', async () => {
    const { node, ran, delivered } = world()
    const [one, two] = [node('one'), node('two')]
    const human = humanAt(two)
    void one.run()
    const question = await human.next()
    one.kill()
    await human.approve(question)
    await until(() => delivered.length > 0, 'delivery')
    expect(ran).toEqual(['one start', 'two start', 'two deploy'])
  })

  test('is recovered only by a node that registered it', async () => {
    const { node, cluster, ran } = world()
    const one = node('one')
    void one.run()
    const stranger = cluster.node()
    await humanAt(stranger).next()
    one.kill()
    await sleep(450)
    expect(await stranger.holdpoint.recover()).toEqual({ recovered: 0 })
    node('late')
    const late = node('late too')
    await late.holdpoint.recover()
    await until(() => ran.some((line) => line.startsWith('late')), 'recovery by a node that knows it')
  })

  test('stays with its process while that process is alive', async () => {
    const { node, ran } = world()
    const [one, two] = [node('one'), node('two')]
    void one.run().catch(() => {})
    await humanAt(two).next()
    for (let beat = 0; beat < 8; beat++) {
      await sleep(50)
      expect(await two.holdpoint.recover()).toEqual({ recovered: 0 })
    }
    expect(ran).toEqual(['one start'])
  })

  test('is fenced if its process wakes after the lease has expired', async () => {
    const { node, ran, delivered } = world()
    const [one, two] = [node('one'), node('two')]
    const human = humanAt(two)
    let late: unknown
    void one.run().catch((error) => {
      late = error
    })
    const question = await human.next()
    one.store.down()
    await until(() => ran.includes('two start'), 'recovery')
    one.store.up()
    await human.approve(question)
    await until(() => ran.includes('two deploy'), 'the second owner')
    await sleep(450)
    expect(ran.filter((line) => line.endsWith('deploy'))).toEqual(['two deploy'])
    expect(delivered.length).toBeLessThanOrEqual(1)
    expect(late).toBeUndefined()
  })

  test('receives an abort signal when its process loses the call', async () => {
    const { cluster } = world()
    const [one, two] = [cluster.node(), cluster.node()]
    const ctx = one.holdpoint.session('chat', ADA).toolCall({ ...CALL, toolName: 'x' })
    const waiting = expect(ctx.approve({ prompt: 'Go?' })).rejects.toMatchObject({ code: 'ownership_lost' })
    await humanAt(two).next()
    const again = two.holdpoint
      .session('chat', ADA)
      .toolCall({ ...CALL, toolName: 'x' })
      .approve({ prompt: 'Go?' })
    await waiting
    expect(ctx.signal.aborted).toBe(true)
    await humanAt(two).approve((await humanAt(two).waiting())[0]!)
    expect(await again).toMatchObject({ outcome: 'approved' })
  })

  test('is aborted when another node cancels the run, and its late result is dropped', async () => {
    const { cluster, delivered } = world()
    const [one, two] = [
      cluster.node({ hooks: { onToolResult: (delivery) => void delivered.push(delivery) } }),
      cluster.node(),
    ]
    const slow = one.holdpoint.tool({
      name: 'slow',
      input: z.object({}),
      execute: async (_input, ctx) => {
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        return 'done anyway'
      },
    })
    const running = one.holdpoint.session('chat', ADA).runTool(slow, {}, CALL)
    const refused = expect(running).rejects.toMatchObject({ name: 'InteractionRefused', outcome: 'cancelled' })
    await until(async () => (await person(two.holdpoint).events()).length > 0, 'the start')
    await two.holdpoint.session('chat', ADA).cancelRun('run-1', 'enough')
    await refused
    const last = (await person(two.holdpoint).events()).at(-1)
    expect(last).toMatchObject({ type: 'tool_call_complete', status: 'cancelled' })
    expect(last).not.toHaveProperty('output')
  })

  test('has its cancelled result recorded, emitted and delivered if its process died', async () => {
    const { node, ran, delivered } = world()
    const [one, two] = [node('one'), node('two')]
    void one.run()
    await humanAt(two).next()
    one.kill()
    await two.holdpoint.session('chat', ADA).cancelRun('run-1', 'enough')
    await until(async () => {
      await two.holdpoint.recover()
      return delivered.length > 0
    }, 'the end of the call')
    expect(delivered).toMatchObject([{ status: 'refused', result: { refused: 'cancelled', reason: 'enough' } }])
    expect(ran).toEqual(['one start'])
    const last = (await person(two.holdpoint).events()).at(-1)
    expect(last).toMatchObject({ type: 'tool_call_complete', status: 'cancelled' })
    await expect(two.run()).rejects.toMatchObject({ name: 'InteractionRefused', outcome: 'cancelled' })
  })

  test('is shown as continuing in a snapshot from the answer until the call has ended', async () => {
    const { cluster } = world()
    const { holdpoint } = cluster.node()
    const human = testHuman(holdpoint, ADA)
    let finish: (() => void) | undefined
    const slow = holdpoint.tool({
      name: 'slow',
      input: z.object({}),
      execute: async (_input, ctx) => {
        await ctx.approve({ prompt: 'Go?' })
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return 'done'
      },
    })
    const session = holdpoint.session('chat', ADA)
    const first = async () => (await person(holdpoint).snapshot()).interactions[0]
    const running = session.runTool(slow, {}, CALL)
    const question = await human.next()
    expect(await first()).not.toHaveProperty('running')
    await human.approve(question)
    await until(async () => (await first())?.running === true, 'the tool at work')
    expect(await first()).toMatchObject({ response: { action: 'approve' }, running: true })
    await until(() => finish !== undefined, 'the tool past its question')
    finish?.()
    await running
    expect(await first()).not.toHaveProperty('running')
    // The end of a bare call is unknown.
    const bare = session.toolCall({ ...CALL, toolCallId: 'bare', toolName: 'x' }).approve({ prompt: 'And?' })
    await human.approve(await human.next())
    await bare
    expect(JSON.stringify(await person(holdpoint).snapshot())).not.toContain('"running":true')
  })

  test('that fails returns the error to the agent and a general message to the user', async () => {
    const { cluster } = world()
    const { holdpoint } = cluster.node()
    const broken = holdpoint.tool({
      name: 'broken',
      input: z.object({}),
      execute: (): string => {
        throw new RangeError('the secret path')
      },
    })
    const session = holdpoint.session('chat', ADA)
    await expect(session.runTool(broken, {}, CALL)).rejects.toThrow(RangeError)
    await expect(session.runTool(broken, {}, CALL)).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'the secret path',
    })
    expect(JSON.stringify(await person(holdpoint).events())).not.toContain('secret path')
  })

  test('continues if its caller aborts, and its result is delivered', async () => {
    const { node, delivered } = world()
    const one = node('one')
    const page = new AbortController()
    const running = expect(one.run({ signal: page.signal })).rejects.toMatchObject({ name: 'AbortError' })
    const question = await humanAt(one).next()
    page.abort()
    await running
    await humanAt(one).approve(question)
    await until(() => delivered.length > 0, 'delivery')
    expect(delivered).toMatchObject([{ status: 'completed', result: { id: 'prod-1' } }])
  })

  test('sends an answer that it did not wait for as a follow-up', async () => {
    const followUps: unknown[] = []
    const { cluster } = world()
    const { holdpoint } = cluster.node({ hooks: { onFollowUp: (delivery) => void followUps.push(delivery) } })
    const human = testHuman(holdpoint, ADA)
    let go = () => {}
    const hasty = holdpoint.tool({
      name: 'hasty',
      input: z.object({}),
      execute: async (_input, ctx) => {
        const [left, right] = [
          ctx.approve({ rememberAs: 'l', prompt: 'left' }),
          ctx.requestInteraction({
            type: 'approval',
            key: 'r',
            prompt: 'right',
            whenUnavailable: 'wait',
            onResponse: () => new Promise<{ complete: 1 }>(() => {}),
          }),
        ]
        void Promise.all([left, right]).catch(() => {})
        await new Promise<void>((resolve) => (go = resolve))
        return 'done'
      },
    })
    const running = holdpoint.session('chat', ADA).runTool(hasty, {}, CALL)
    const questions = [await human.next()]
    human.ignore(questions[0]!)
    questions.push(await human.next())
    await human.approve(questions.find(({ prompt }) => prompt === 'right')!)
    await sleep(10)
    go()
    expect(await running).toEqual({ status: 'completed', result: 'done' })
    await until(() => followUps.length > 0, 'the follow-up')
    expect(followUps).toMatchObject([{ reason: 'orphaned', answer: { action: 'approve' } }])
    expect(await human.waiting()).toEqual([])
  })
})
