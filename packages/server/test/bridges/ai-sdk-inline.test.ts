import type { ToolResultDelivery } from '@holdpoint/server'
import { aiSdk, holdpointTool } from '@holdpoint/server/ai-sdk'
import { testHuman } from '@holdpoint/server/testing'
import { convertToModelMessages, generateText, safeValidateUIMessages, stepCountIs } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../engine/support/nodes.ts'
import { ADA, open } from '../engine/support/world.ts'
import { modelCalling, post, responded, toolPart, user } from './support/chat.ts'
import { DELETE, deleting } from './support/tools.ts'

/** The stream stays open while the person thinks. */
function world(hooks: Parameters<typeof open>[0] = {}) {
  const holdpoint = open(hooks)
  const human = testHuman(holdpoint, ADA)
  const { tools, deleted } = deleting()
  return { holdpoint, human, deleted, options: { model: modelCalling(DELETE), tools, mode: 'inline' as const } }
}

test('an inline approval runs the tool once within one request, and the message contains a part for the question', async () => {
  const { holdpoint, human, deleted, options } = world()
  const going = post(holdpoint, [user('clean up')], options)
  const question = await human.next()
  await human.approve(question)
  const { messages, chunks } = await going
  expect(toolPart(messages)).toMatchObject({ state: 'output-available', output: { deleted: 1 } })
  expect(deleted).toEqual([['a.txt']])
  const parts = chunks.filter(({ type }) => type === 'data-holdpoint')
  expect(parts).toMatchObject([
    { id: question.interactionId, data: { status: 'open', toolCallId: 'call-1', prompt: 'Delete a.txt?' } },
    { id: question.interactionId, data: { status: 'answered' } },
  ])
  expect(messages.at(-1)?.parts.filter(({ type }) => type === 'data-holdpoint')).toHaveLength(1)
})

test('after an inline denial the model receives the reason, and the chat continues', async () => {
  const { holdpoint, human, deleted, options } = world()
  const going = post(holdpoint, [user('clean up')], options)
  await human.deny(await human.next(), 'I need it')
  const { messages, error } = await going
  expect(toolPart(messages)).toMatchObject({
    state: 'output-denied',
    approval: { approved: false, reason: 'I need it', isAutomatic: true },
  })
  expect(error).toBeUndefined()
  expect(options.model.doStreamCalls).toHaveLength(2)
  expect(deleted).toEqual([])
})

test('an inline denial is kept as a denial by the next turn', async () => {
  const { holdpoint, human, options } = world()
  const going = post(holdpoint, [user('clean up')], options)
  await human.deny(await human.next(), 'I need it')
  const { messages } = await going
  const next = await post(holdpoint, [...messages, user('and now?', 'message-2')], {
    ...options,
    model: modelCalling(),
  })
  expect(next.error).toBeUndefined()
  const validated = await safeValidateUIMessages({ messages, tools: options.tools as never })
  expect(validated.success).toBe(true)
  expect(await convertToModelMessages(messages)).toContainEqual(
    expect.objectContaining({
      role: 'tool',
      content: expect.arrayContaining([
        expect.objectContaining({ type: 'tool-result', output: { type: 'error-text', value: 'I need it' } }),
      ]),
    }),
  )
})

test('edited arguments that do not fit the schema are rejected with fieldErrors, and the question stays open', async () => {
  const { holdpoint, human, deleted, options } = world()
  const going = post(holdpoint, [user('clean up')], options)
  const question = await human.next()
  const refused = await human.approve(question, { args: { files: 'b.txt' } }).catch((error) => error)
  expect(refused).toMatchObject({ code: 'invalid_input', details: { fieldErrors: { files: [expect.any(String)] } } })
  expect(await human.waiting()).toMatchObject([{ interactionId: question.interactionId, args: DELETE.input }])
  await human.approve(question, { args: { files: ['b.txt'] } })
  await going
  expect(deleted).toEqual([['b.txt']])
})

test('an edit that the policy rejects is asked again in the same message part, and a valid edit runs', async () => {
  const { holdpoint, human, deleted, options } = world()
  const going = post(holdpoint, [user('clean up')], options)
  const first = await human.next()
  await human.approve(first, { args: { files: ['/'] } })
  const second = await human.next()
  await human.approve(second, { args: { files: ['b.txt'] } })
  const { chunks } = await going
  expect(deleted).toEqual([['b.txt']])
  const ids = chunks.flatMap((chunk) => (chunk.type === 'data-holdpoint' ? [(chunk as { id?: string }).id] : []))
  expect(new Set(ids)).toEqual(new Set([first.interactionId]))
})

test('a tool can ask from within execute, with the full tool context', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const mail = holdpointTool({
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }, ctx) => {
      const { to } = await ctx.ask({ prompt: 'Where to?', schema: z.object({ to: z.email() }) })
      ctx.log('sending')
      return {
        to,
        text,
        id: await ctx.once('send', ({ idempotencyKey }) => idempotencyKey.length),
        ai: ctx.ai.toolCallId,
      }
    },
  })
  const going = post(holdpoint, [user('mail')], {
    model: modelCalling({ name: 'mail', input: { text: 'hi' } }),
    tools: { mail },
    mode: 'inline',
  })
  await human.fill(await human.next(), { to: 'ada@example.com' })
  expect(toolPart((await going).messages)).toMatchObject({
    output: { to: 'ada@example.com', text: 'hi', ai: 'call-1' },
  })
})

describe('a page that disconnects from an inline stream', () => {
  test('does not end the question: the result leaves through onToolResult', async () => {
    const delivered: ToolResultDelivery[] = []
    const { holdpoint, human, deleted, options } = world({
      hooks: { onToolResult: (delivery) => void delivered.push(delivery) },
      timing: { leaseMs: 60 },
    })
    const page = new AbortController()
    const left = post(holdpoint, [user('clean up')], { ...options, signal: page.signal })
    const question = await human.next()
    page.abort()
    await left
    await human.approve(question)
    await until(() => delivered.length > 0, 'the delivery')
    expect(delivered).toMatchObject([{ status: 'completed', result: { deleted: 1 }, toolCallId: 'call-1' }])
    expect(deleted).toHaveLength(1)
  })

  test('reconnects without a second question, and joins the waiting call', async () => {
    const { holdpoint, human, deleted, options } = world()
    const page = new AbortController()
    const left = post(holdpoint, [user('clean up')], { ...options, signal: page.signal })
    const question = await human.next()
    page.abort()
    await left
    const back = post(holdpoint, [user('clean up')], options)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect((await human.waiting()).map(({ interactionId }) => interactionId)).toEqual([question.interactionId])
    await human.approve(question)
    const { messages, chunks } = await back
    expect(toolPart(messages)).toMatchObject({ output: { deleted: 1 } })
    expect(chunks.find(({ type }) => type === 'data-holdpoint')).toMatchObject({ data: { status: 'open' } })
    expect(deleted).toHaveLength(1)
  })
})

test('two tabs that send the same request cause one question and one execution, and both receive the output', async () => {
  const { holdpoint, human, deleted, options } = world()
  const both = [1, 2].map(() => post(holdpoint, [user('clean up')], options))
  await human.approve(await human.next())
  const done = await Promise.all(both)
  expect(done.map(({ messages }) => toolPart(messages).output)).toEqual([{ deleted: 1 }, { deleted: 1 }])
  expect(deleted).toHaveLength(1)
  expect(toolPart((await post(holdpoint, [user('clean up')], options)).messages)).toMatchObject({
    output: { deleted: 1 },
  })
  expect(deleted).toHaveLength(1)
})

describe('a new message while a question is open', () => {
  test('declines the question, and the waiting tool and the model are informed', async () => {
    const { holdpoint, human, deleted, options } = world()
    const suspended = { ...options, mode: 'suspend' as const }
    const asked = await post(holdpoint, [user('clean up')], suspended)
    await human.next()
    const model = modelCalling()
    await post(holdpoint, [...asked.messages, user('never mind', 'message-2')], { ...suspended, model })
    expect(await human.waiting()).toEqual([])
    expect(JSON.stringify(model.doStreamCalls[0]?.prompt)).toContain('continued without answering')
    const { messages } = await post(holdpoint, responded(asked.messages, true), suspended)
    expect(toolPart(messages)).toMatchObject({ output: { holdpoint: 'superseded' } })
    expect(deleted).toEqual([])
  })
})

test('generateText records the error of a failing tool and does not run the tool again', async () => {
  const holdpoint = open()
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  }
  let runs = 0
  const fails = holdpointTool({
    inputSchema: z.object({}),
    execute: async () => {
      runs++
      throw new Error('no disk')
    },
  })
  for (let i = 0; i < 2; i++) {
    const hp = aiSdk(holdpoint, { sessionId: 'chat', ...ADA, runId: 'run-1', mode: 'inline' })
    const result = await generateText({
      model: new MockLanguageModelV4({
        doGenerate: async ({ prompt }) => ({
          content:
            prompt.at(-1)?.role === 'user'
              ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'fails', input: '{}' }]
              : [{ type: 'text', text: 'done' }],
          finishReason: { unified: prompt.at(-1)?.role === 'user' ? 'tool-calls' : 'stop', raw: undefined },
          usage,
          warnings: [],
        }),
      }),
      prompt: 'go',
      tools: hp.tools({ fails }),
      toolApproval: hp.toolApproval,
      stopWhen: stepCountIs(2),
    })
    expect(JSON.stringify(result.steps[0]?.content)).toContain('tool-error')
  }
  expect(runs).toBe(1)
})

test('aiSdk() without messages and without a runId is rejected with run_id_required', () => {
  const holdpoint = open()
  expect(() => aiSdk(holdpoint, { sessionId: 'chat', ...ADA, mode: 'inline' })).toThrow(
    expect.objectContaining({ code: 'run_id_required' }),
  )
})
