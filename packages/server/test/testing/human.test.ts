import type { Holdpoint } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ADA, open } from '../engine/support/world.ts'

const ask = (holdpoint: Holdpoint, toolCallId = 'call-1') =>
  holdpoint
    .session('s1', ADA)
    .toolCall({ runId: 'run-1', toolCallId, toolName: 'copy' })
    .ask({ prompt: 'How many?', schema: z.object({ copies: z.int() }) })

test('next() returns a question again after its answer was rejected', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const asking = ask(holdpoint)
  const question = await human.next()
  await expect(human.fill(question, { copies: 'many' })).rejects.toMatchObject({ code: 'invalid_input' })
  const again = await human.next()
  expect(again.interactionId).toBe(question.interactionId)
  await human.fill(again, { copies: 2 })
  expect(await asking).toMatchObject({ copies: 2 })
})

test('next() rejects after two seconds and names the questions that it saw', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, ADA)
  const asking = ask(holdpoint)
  human.ignore(await human.next())
  const started = performance.now()
  const error = await human.next({ toolName: 'send' }).catch((thrown) => thrown)
  expect(performance.now() - started).toBeLessThan(4_000)
  expect(error).toMatchObject({
    code: 'no_question',
    message:
      'No question that matches {"toolName":"send"} came within 2000 ms. Open for this user: input of copy in session s1, already answered or ignored by this test. Check that the code under test runs, and that its session belongs to this user.',
  })
  await human.fill((await human.waiting())[0]!, { copies: 1 })
  await asking
})

test('next() waits for nextTimeoutMs', async () => {
  const human = testHuman(open(), { ...ADA, nextTimeoutMs: 20 })
  await expect(human.next()).rejects.toThrow('within 20 ms. No question is open for this user.')
})

test('runTool accepts the input type of the schema, so that a field with a default can be omitted', async () => {
  const holdpoint = open()
  const copy = holdpoint.tool({
    name: 'copy',
    input: z.object({ copies: z.number().default(1), to: z.string().transform((text) => text.length) }),
    execute: ({ copies, to }) => copies + to,
  })
  const run = holdpoint.session('s1', ADA).runTool(copy, { to: 'abc' }, { runId: 'r', toolCallId: 'c' })
  expect(await run).toEqual({ status: 'completed', result: 4 })
  // @ts-expect-error `to` is text before the schema reads it
  const wrong = holdpoint.session('s1', ADA).runTool(copy, { to: 3 }, { runId: 'r', toolCallId: 'd' })
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_tool_input' })
})
