import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { readHistory, toModelMessages, withPolicy } from '@holdpoint/server/tools'
import { tool as aiTool, stepCountIs, streamText } from 'ai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { modelCalling } from '../bridges/support/chat.ts'
import { heldStore } from '../engine/support/held-store.ts'
import { clusters, QUICK, until } from '../engine/support/nodes.ts'
import { ADA, open, person } from '../engine/support/world.ts'

type Part = { type: string; [field: string]: unknown }

/** A stream that a test feeds by hand, and that knows how far it was read. */
function feed() {
  const parts: Part[] = []
  let wake = () => {}
  let closed = false
  let read = 0
  let returned = false
  async function* stream(): AsyncGenerator<Part> {
    try {
      for (;;) {
        while (parts.length > 0) {
          read++
          yield parts.shift() as Part
        }
        if (closed) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      returned = true
    }
  }
  const push = (...more: Part[]) => {
    parts.push(...more)
    wake()
  }
  const close = () => {
    closed = true
    wake()
  }
  return { stream: stream(), push, close, read: () => read, returned: () => returned }
}
const text = (said: string): Part => ({ type: 'text-delta', id: 't', text: said })

/** Returns the log as text. Text that arrived in pieces is joined. */
function toldBy(events: readonly Part[]): string[] {
  const lines: string[] = []
  for (const { type, text, reason, status, toolCallId } of events) {
    const line = [type, toolCallId, text ?? status ?? reason].filter((word) => word !== undefined).join(' ')
    if (type === 'content' && lines.at(-1)?.startsWith('content ')) lines.push(`${lines.pop()}${text}`)
    else lines.push(line)
  }
  return lines
}

describe.each(clusters)('%s', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const [one, two] = [cluster.node(), cluster.node()]
    const told = async () => toldBy(await person(two.holdpoint).events())
    return { one, two, told, session: one.holdpoint.session('chat', ADA), other: two.holdpoint.session('chat', ADA) }
  }

  test('a tool call is emitted as soon as the model names it, followed by its text, input and result', async () => {
    const { session, told } = world()
    const turn = await session.turn({ runId: 'r1', message: 'hello' })
    const { stream, push, close } = feed()
    const streaming = turn.stream(stream)
    push(text('Let me '), text('see.'), { type: 'tool-input-start', id: 'c1', toolName: 'search' })
    await until(async () => (await told()).includes('tool_call_start c1'), 'the start, before there is an input')
    push(
      { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'x' } },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { hits: 2 } },
      text('Two.'),
    )
    close()
    expect(await streaming).toBe('done')
    expect(await told()).toEqual([
      'user_message hello',
      'run_status running',
      'content Let me see.',
      'tool_call_start c1',
      'tool_call_update c1',
      'tool_call_complete c1 completed',
      'content Two.',
      'run_status completed',
      'done',
    ])
  })

  test('a new message aborts the stream, also in another process, and declines the open question', async () => {
    const { one, session, other, told } = world()
    const ran: string[] = []
    const tool = one.holdpoint.tool(
      withPolicy(
        { name: 'send', input: z.object({}), execute: () => void ran.push('sent') },
        { mode: 'confirm_before_execution' },
      ),
    )
    const turn = await session.turn({ runId: 'r1', message: 'send it' })
    const { stream, push, close, returned } = feed()
    turn.signal.addEventListener('abort', close)
    const streaming = turn.stream(stream)
    push(text('Sending.'))
    const waiting = session.runTool(tool, {}, { runId: 'r1', toolCallId: 'c1' }).catch((error: unknown) => error)
    await testHuman(one.holdpoint, ADA).next()

    const next = await other.turn({ runId: 'r2', message: 'no, wait' })
    expect(await streaming).toBe('aborted')
    expect(turn.signal.aborted).toBe(true)
    expect(await waiting).toMatchObject({ outcome: 'superseded' })
    await until(returned, 'the end of the old model stream')
    await expect(turn.text('late')).rejects.toMatchObject({ code: 'turn_superseded' })
    await next.text('What then?')
    await next.done()
    expect(ran).toEqual([])
    const log = await told()
    expect(log).not.toContain('content late')
    expect(log).toContain('paused new_message')
    expect(log.at(-1)).toBe('done')
    const messages = toModelMessages(await readHistory(one.holdpoint, { sessionId: 'chat', ...ADA }))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(messages[2]).toMatchObject({ content: [{ toolCallId: 'c1', output: { type: 'execution-denied' } }] })
  })

  test('a run that becomes the current turn again emits that it is running', async () => {
    const { session, told } = world()
    await session.turn({ runId: 'r1', message: 'hello' })
    await session.turn({ runId: 'r2', message: 'no, wait' })
    const again = await session.turn({ runId: 'r1' })
    await again.done()
    expect((await told()).filter((line) => line.startsWith('run_status'))).toEqual([
      'run_status running',
      'run_status completed',
      'run_status running',
      'run_status completed',
      'run_status running',
      'run_status completed',
    ])
  })

  test('a text that waits to be written when its turn ends rejects', async () => {
    const { one, session, other, told } = world()
    const turn = await session.turn({ runId: 'r1', message: 'hello' })
    one.store.down()
    const held = turn.text('x'.repeat(70_000)).catch((error: unknown) => error)
    await other.turn({ runId: 'r2', message: 'no, wait' })
    one.store.up()
    expect(await held).toMatchObject({ code: 'turn_superseded' })
    expect((await told()).filter((line) => line.startsWith('content'))).toEqual([])
  })

  test('texts of one tick are one event', async () => {
    const { one, session } = world()
    const turn = await session.turn({ runId: 'r1' })
    await Promise.all(['a', 'b', 'c'].map((piece) => turn.text(piece)))
    await turn.done()
    const events = await person(one.holdpoint).events()
    expect(events.filter(({ type }) => type === 'content').map(({ text: said }) => said)).toEqual(['abc'])
  })

  test('done() rejects if a text of the turn could not be written', async () => {
    const { session, told } = world()
    const turn = await session.turn({ runId: 'r1' })
    await expect(turn.text('x'.repeat(2 ** 20))).rejects.toMatchObject({ code: 'event_too_large' })
    await expect(turn.done()).rejects.toMatchObject({ code: 'event_too_large' })
    expect(await told()).not.toContain('done')
  })

  test('a stream that begins after its turn has ended is not read', async () => {
    const { session, told } = world()
    const turn = await session.turn({ runId: 'r1', message: 'hello' })
    await session.turn({ runId: 'r2', message: 'no, wait' })
    await until(() => turn.signal.aborted, 'the end of the first turn')
    const { stream, returned } = feed()
    expect(await turn.stream(stream)).toBe('aborted')
    expect(returned()).toBe(false)
    expect((await told()).filter((line) => line.startsWith('content'))).toEqual([])
  })

  test('a text part without text writes nothing', async () => {
    const { session, told } = world()
    const turn = await session.turn({ runId: 'r1', message: 'hello' })
    const { stream, push, close } = feed()
    push(text('So'), { type: 'text-delta', id: 't' }, { type: 'text-delta', id: 't', delta: ' be it.' })
    close()
    expect(await turn.stream(stream)).toBe('done')
    expect(await told()).toContain('content So be it.')
  })

  test('a stopped run can be continued: its messages remain, and its effects are not repeated', async () => {
    const { one, session, other, told } = world()
    let runs = 0
    const tool = one.holdpoint.tool({ name: 'count', input: z.object({}), execute: () => ++runs })
    const call = () => session.runTool(tool, {}, { runId: 'r1', toolCallId: 'c1' })
    const turn = await session.turn({ runId: 'r1', message: 'count' })
    const { stream, push } = feed()
    const streaming = turn.stream(stream)
    await call()
    push(text('One'))
    await until(async () => (await told()).includes('content One'), 'the text')
    expect(await other.stop()).toBe(true)
    expect(await other.stop()).toBe(false)
    expect(await streaming).toBe('aborted')
    expect((await told()).slice(-2)).toEqual(['paused stopped', 'run_status paused'])

    const again = await other.turn({ runId: 'r1' })
    expect(await call()).toMatchObject({ result: 1 })
    await again.text(' and two.')
    await again.done()
    expect(runs).toBe(1)
    expect((await told()).slice(-4)).toEqual([
      'run_status running',
      'content  and two.',
      'run_status completed',
      'done',
    ])
    const messages = toModelMessages(await readHistory(one.holdpoint, { sessionId: 'chat', ...ADA }))
    expect(JSON.stringify(messages.at(-1))).toContain('One and two.')
  })

  test('a repeated request writes its message once, takes over the turn, and declines none of its own questions', async () => {
    const { one, session, other, told } = world()
    const first = await session.turn({ runId: 'r1', message: 'hello' })
    const waiting = session.toolCall({ runId: 'r1', toolCallId: 'c1', toolName: 'x' }).tryApprove({ prompt: 'Go?' })
    const question = await testHuman(one.holdpoint, ADA).next()
    const second = await other.turn({ runId: 'r1', message: 'hello' })
    await second.text('a')
    await expect(
      (async () => {
        await first.text('b')
        await first.done()
      })(),
    ).rejects.toMatchObject({ code: 'turn_superseded' })
    await testHuman(one.holdpoint, ADA).approve(question)
    expect(await waiting).toMatchObject({ outcome: 'approved' })
    await second.done()
    expect((await told()).filter((line) => line.startsWith('user_message'))).toEqual(['user_message hello'])
    expect((await told()).filter((line) => line.startsWith('content'))).toEqual(['content a'])
  })

  test('a stream that ends while a question is open is paused, not done', async () => {
    const { one, session, told } = world()
    const turn = await session.turn({ runId: 'r1', message: 'hello' })
    void session
      .toolCall({ runId: 'r1', toolCallId: 'c1', toolName: 'x' })
      .tryApprove({ prompt: 'Go?' })
      .catch(() => {})
    await testHuman(one.holdpoint, ADA).next()
    const { stream, close } = feed()
    close()
    expect(await turn.stream(stream)).toBe('paused')
    expect((await told()).at(-1)).toBe('paused')
    expect((await person(one.holdpoint).snapshot()).runs).toMatchObject([{ status: 'awaiting_approval' }])
  })

  test('an error of the model ends the run as an error, without the text of the error', async () => {
    const { session, told } = world()
    const turn = await session.turn({ runId: 'r1' })
    const { stream, push, close } = feed()
    push(text('Hm'), { type: 'error', error: new Error('key sk-123 is wrong') })
    close()
    expect(await turn.stream(stream)).toBe('error')
    expect((await told()).slice(-2)).toEqual(['run_status error', 'done'])
    const broken = await session.turn({ runId: 'r2' })
    async function* fails(): AsyncGenerator<Part> {
      yield text('a')
      throw new RangeError('secret words')
    }
    await expect(broken.stream(fails())).rejects.toThrow(RangeError)
    expect((await told()).slice(-2)).toEqual(['run_status error', 'done'])
    expect((await told()).join()).not.toContain('secret')
  })

  test('a stream of the model is read no faster than the store writes', async () => {
    const { one, session } = world()
    const turn = await session.turn({ runId: 'r1' })
    one.store.down()
    const { stream, push, read } = feed()
    const streaming = turn.stream(stream)
    push(...Array.from({ length: 2_000 }, (_, n) => ({ type: 'tool-input-start', id: `c${n}`, toolName: 'x' })))
    await until(() => read() > 50, 'the first parts')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(read()).toBeLessThan(200)
    one.store.up()
    await until(() => read() === 2_000, 'the rest', 20_000)
    await session.stop()
    expect(await streaming).toBe('aborted')
  })
})

test('a turn that is stopped during its check whether it is current checks again', async () => {
  const shared = memoryStore()
  const slow = heldStore({ ...shared, close: async () => {} })
  const one = createHoldpoint({ store: slow, timing: QUICK })
  const two = createHoldpoint({ store: { ...shared, close: async () => {} }, timing: QUICK })
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()])
    await shared.close()
  })
  const turn = await one.session('chat', ADA).turn({ runId: 'r1' })
  const streaming = turn.stream(feed().stream)
  const look = slow.hold('load', 'after', (refs) => refs.some(({ kind }) => kind === 'turn'))
  await two.session('chat', ADA).emit({ type: 'content', text: 'another process wrote' })
  await look.reached
  await two.session('chat', ADA).stop()
  look.release()
  const silence = new Promise((resolve) => setTimeout(resolve, 10_000, 'it was not notified in ten seconds'))
  expect(await Promise.race([streaming, silence])).toBe('aborted')
})

test('a cancelled run cannot be continued', async () => {
  const session = open().session('chat', ADA)
  await session.turn({ runId: 'r1', message: 'a' })
  await session.cancelRun('r1')
  await expect(session.turn({ runId: 'r1' })).rejects.toMatchObject({ code: 'run_cancelled' })
  await expect(open().session('chat', ADA).stop()).resolves.toBe(false)
})

test('the full stream of the AI SDK works with a tool that Holdpoint runs and one that it does not run', async () => {
  const holdpoint = open()
  const session = holdpoint.session('chat', ADA)
  const ours = holdpoint.tool(
    withPolicy({ name: 'ours', input: z.object({ n: z.number() }), execute: ({ n }) => n * 2 }, { mode: 'auto' }),
  )
  const turn = await session.turn({ runId: 'r1', message: 'go' })
  const result = streamText({
    model: modelCalling({ id: 'c1', name: 'ours', input: { n: 2 } }, { id: 'c2', name: 'theirs', input: {} }),
    messages: [{ role: 'user', content: 'go' }],
    abortSignal: turn.signal,
    stopWhen: stepCountIs(3),
    tools: {
      ours: aiTool({
        inputSchema: z.object({ n: z.number() }),
        execute: (input, { toolCallId }) => session.runTool(ours, input, { runId: 'r1', toolCallId }),
      }),
      theirs: aiTool({ inputSchema: z.object({}), execute: () => 'plain' }),
    },
  })
  expect(await turn.stream(result.fullStream)).toBe('done')
  const events = await person(holdpoint).events()
  const completes = events.filter(({ type }) => type === 'tool_call_complete')
  expect(completes.map(({ toolCallId, output }) => [toolCallId, output])).toEqual(
    expect.arrayContaining([
      ['c1', 4],
      ['c2', 'plain'],
    ]),
  )
  expect(completes).toHaveLength(2)
  const results = toModelMessages(events).flatMap((message) => (message.role === 'tool' ? message.content : []))
  expect(results.map(({ toolCallId }) => toolCallId).sort()).toEqual(['c1', 'c2'])
})
