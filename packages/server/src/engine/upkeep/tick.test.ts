import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

test('tick does not wait for a tool that waits inline for an answer', async () => {
  const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
  onTestFinished(() => holdpoint.close())
  const human = testHuman(holdpoint, { userId: 'ada' })
  const execute = async (_: object, ctx: { approve(it: { prompt: string }): Promise<unknown> }) => {
    await ctx.approve({ prompt: 'Continue?' })
    return 'done'
  }
  const tool = holdpoint.tool({ name: 'wait', input: z.object({}), execute })
  const run = holdpoint.session('chat', { userId: 'ada' }).runTool(tool, {}, { runId: 'r', toolCallId: 'c' })
  const question = await human.next()
  await holdpoint.tick()
  await human.approve(question)
  expect(await run).toMatchObject({ status: 'completed', result: 'done' })
})
