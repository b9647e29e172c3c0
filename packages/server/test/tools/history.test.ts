import { testHuman } from '@holdpoint/server/testing'
import { readHistory, toModelMessages, withPolicy } from '@holdpoint/server/tools'
import { type ModelMessage, modelMessageSchema } from 'ai'
import * as fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { ADA, open } from '../engine/support/world.ts'

const start = (toolCallId: string, runId = 'r1', input: unknown = { a: 1 }) => ({
  ...{ type: 'tool_call_start', toolCallId, runId, toolName: 'tool', input },
})
const complete = (toolCallId: string, status: string, more: object = {}, runId = 'r1') => ({
  ...{ type: 'tool_call_complete', toolCallId, runId, toolName: 'tool', status },
  ...more,
})
const said = (text: string) => ({ type: 'content', text })
const asked = (text: string) => ({ type: 'user_message', text })

describe('the messages for the model', () => {
  test('contain text, calls and results in order, in the format of the AI SDK', () => {
    const messages = toModelMessages([
      { type: 'system_message', text: 'Be brief.' },
      asked('hello'),
      said('I will '),
      said('look.'),
      start('c1'),
      start('c2', 'r1', 'text'),
      complete('c2', 'completed', { output: 'found' }),
      complete('c1', 'completed', { output: { rows: 3 } }),
      said('Three rows.'),
      asked('thanks'),
    ])
    expectTypeOf(messages).toExtend<ModelMessage[]>()
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'tool', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'tool', input: 'text' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'tool', output: { type: 'json', value: { rows: 3 } } },
          { type: 'tool-result', toolCallId: 'c2', toolName: 'tool', output: { type: 'text', value: 'found' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Three rows.' }] },
      { role: 'user', content: 'thanks' },
    ])
  })

  test('omit calls that wait or run, with all of their output', () => {
    expect(
      toModelMessages([
        asked('go'),
        start('c1'),
        { type: 'tool_call_update', toolCallId: 'c1', runId: 'r1', status: 'awaiting_confirmation', output: 'pending' },
        start('c2'),
        complete('c2', 'awaiting_confirmation', { output: 'pending' }),
      ]),
    ).toEqual([{ role: 'user', content: 'go' }])
  })

  test('mark a declined call with its reason and the output of its effect', () => {
    const [, results] = toModelMessages([
      start('c1'),
      { type: 'interaction_response', toolCallId: 'c1', runId: 'r1', action: 'deny', reason: 'too risky' },
      complete('c1', 'declined'),
      start('c2'),
      complete('c2', 'declined'),
      complete('c2', 'declined', { output: { reverted: true } }),
      start('c3'),
      complete('c3', 'error', { error: { code: 'tool_failed', message: 'No such table.' } }),
      start('c4'),
      complete('c4', 'cancelled'),
    ])
    expect(results).toMatchObject({
      role: 'tool',
      content: [
        { output: { type: 'execution-denied', reason: 'too risky' } },
        { output: { type: 'json', value: { declined: true, output: { reverted: true } } } },
        { output: { type: 'error-text', value: 'No such table.' } },
        { output: { type: 'execution-denied' } },
      ],
    })
  })

  test('contain two calls for one id in two runs', () => {
    const messages = toModelMessages([
      start('c1', 'r1'),
      complete('c1', 'completed', { output: 1 }, 'r1'),
      asked('again'),
      start('c1', 'r2'),
      complete('c1', 'completed', { output: 2 }, 'r2'),
    ])
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
    expect(results.map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
      ['c1', { type: 'json', value: 1 }],
      ['c1-2', { type: 'json', value: 2 }],
    ])
  })

  test('mask credentials and secrets everywhere', () => {
    const text = JSON.stringify(
      toModelMessages(
        [
          asked('use hunter22-of-mine'),
          start('c1', 'r1', { url: 'https://user:pass@db', apiKey: 'k-1', nested: { Authorization: 'abc' } }),
          complete('c1', 'completed', {
            output: { log: 'sent Bearer abcdefghijk', access_token: 'tok', page_token: 'p2', 'hunter22-of-mine': 1 },
          }),
        ],
        { secrets: ['hunter22-of-mine'] },
      ),
    )
    for (const secret of ['hunter22', 'pass@', 'k-1', '"abc"', 'abcdefghijk', '"tok"'])
      expect(text).not.toContain(secret)
    // A cursor of a list is no credential.
    expect(text).toContain('p2')
  })
})

describe('the messages for any log', () => {
  const id = fc.constantFrom('c1', 'c2', 'c1-2', 'constructor', '')
  const run = fc.constantFrom('r1', 'r2', undefined)
  const status = fc.constantFrom(
    'completed',
    'declined',
    'error',
    'cancelled',
    'queued',
    'awaiting_confirmation',
    'x',
    7,
  )
  const event = fc.oneof(
    fc.record({
      type: fc.constantFrom('tool_call_start', 'tool_call_update', 'tool_call_complete', 'interaction_response'),
      toolCallId: fc.oneof(id, fc.constant(3)),
      runId: run,
      toolName: fc.constantFrom('a', 'b', '', undefined),
      status,
      input: fc.jsonValue(),
      output: fc.option(fc.jsonValue(), { nil: undefined }),
      error: fc.option(fc.constantFrom({ message: 'no' }, 'no', {}), { nil: undefined }),
      reason: fc.option(fc.string(), { nil: undefined }),
    }),
    fc.record({
      type: fc.constantFrom('content', 'user_message', 'system_message', 'user_action', 'paused', '__proto__'),
      text: fc.oneof(fc.string(), fc.constant(undefined)),
      message: fc.string(),
    }),
  )

  test('contain exactly one result for every call, in the next message, and the AI SDK accepts them', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (log) => {
        const messages = toModelMessages(log)
        const called: string[] = []
        messages.forEach((message, index) => {
          expect(modelMessageSchema.safeParse(message).success, JSON.stringify(message)).toBe(true)
          if (message.role === 'tool') expect(messages[index - 1]?.role).toBe('assistant')
          if (message.role !== 'assistant') return
          const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
          const next = messages[index + 1]
          const results = next?.role === 'tool' ? next.content : []
          expect(results.map(({ toolCallId, toolName }) => [toolCallId, toolName])).toEqual(
            calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]),
          )
          called.push(...calls.map(({ toolCallId }) => toolCallId))
        })
        expect(new Set(called).size).toBe(called.length)
        const ended = log.filter(
          (one) => one.type === 'tool_call_complete' && 'status' in one && one.status === 'completed' && one.toolName,
        )
        // None that ended is lost.
        if (ended.some((one) => 'toolCallId' in one && one.toolCallId === 'c1')) expect(called).toContain('c1')
      }),
      { numRuns: 500 },
    )
  })

  test('contain no secret of the caller', () => {
    const secret = 'correct-horse'
    const hidden = fc.oneof(
      fc.constant(secret),
      fc.constant(`x${secret}y`),
      fc.record({ [secret]: fc.constant(secret) }),
    )
    const leaking = event.chain((one) =>
      hidden.map((value) => ({ ...one, output: value, input: [value], text: 'correct-horse' })),
    )
    fc.assert(
      fc.property(fc.array(leaking, { maxLength: 20 }), (log) => {
        expect(JSON.stringify(toModelMessages(log as never, { secrets: [secret] }))).not.toContain(secret)
      }),
    )
  })
})

test('the history of a real session contains pending, confirmed and declined calls', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const session = holdpoint.session('chat', ADA)
  const tool = holdpoint.tool(
    withPolicy(
      { name: 'send', input: z.object({ to: z.string() }), execute: ({ to }) => ({ sent: to }) },
      { pending: ({ to }) => ({ draft: to }) },
    ),
  )
  const run = (toolCallId: string, to: string) => session.runTool(tool, { to }, { runId: 'run-1', toolCallId })
  await session.emit({ type: 'user_message', text: 'write to bob, carol and dave' })
  const bob = run('c1', 'bob')
  await human.approve(await human.next())
  await bob
  const carol = run('c2', 'carol').catch(() => {})
  await human.deny(await human.next(), 'not her')
  await carol
  void run('c3', 'dave').catch(() => {})
  await human.next()

  const history = () => readHistory(holdpoint, { sessionId: 'chat', ...ADA })
  const results = toModelMessages(await history()).flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  )
  expect(results).toEqual([
    { type: 'tool-result', toolCallId: 'c1', toolName: 'send', output: { type: 'json', value: { sent: 'bob' } } },
    {
      type: 'tool-result',
      toolCallId: 'c2',
      toolName: 'send',
      output: { type: 'execution-denied', reason: 'not her' },
    },
  ])
  expect(await readHistory(holdpoint, { sessionId: 'chat', userId: 'eve' })).toEqual([])
  expect(await readHistory(holdpoint, { sessionId: 'nothing', ...ADA })).toEqual([])

  for (let n = 0; n < 1_100; n++) await session.emit({ type: 'content', text: 'x' })
  expect((await history()).filter(({ type }) => type === 'content')).toHaveLength(1_100)
})
