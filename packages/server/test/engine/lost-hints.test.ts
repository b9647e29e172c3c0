import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ADA, call, open } from './support/world.ts'

test('a waiting process without notifications polls at a limited rate', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const deaf = { ...store, subscribe: () => () => {} }
  const waits = open({ store: deaf, environment: clock.environment })
  const answers = open({ store, environment: clock.environment })
  const human = testHuman(answers, ADA)
  const ask = (id: string) =>
    waits
      .session('chat', ADA)
      .toolCall(call(id))
      .tryApprove({ prompt: `${id}?`, whenUnavailable: 'wait', timeoutMs: 60_000 })
  const [first, second] = [ask('first'), ask('second')]
  await clock.settle()
  await human.approve((await human.waiting()).find(({ prompt }) => prompt === 'first?')!)
  await clock.advance('1s')
  expect(await Promise.race([first, clock.settle()])).toMatchObject({ outcome: 'approved' })
  await clock.advance('5s')
  await human.approve((await human.waiting())[0]!)
  await clock.advance('1s')
  expect(await Promise.race([second, clock.settle()])).toMatchObject({ outcome: 'approved' })
})

test('a run that another node cancels while its approved tool works has no result, also without notifications', async () => {
  const store = memoryStore()
  const deaf = { ...store, subscribe: () => () => {} }
  const [works, cancels] = [open({ store: deaf }), open({ store: { ...store, close: async () => {} } })]
  const tool = works.tool({
    name: 'delete_files',
    input: z.object({}),
    async execute(_input, ctx) {
      await ctx.approve({ prompt: 'Go?' })
      await cancels.session('chat', ADA).cancelRun('run-1')
      return 'deleted'
    },
  })
  const human = testHuman(works, ADA)
  const ran = works
    .session('chat', ADA)
    .runTool(tool, {}, { runId: 'run-1', toolCallId: 'call-1' })
    .catch((error: unknown) => error)
  await human.approve(await human.next())
  expect(await ran).toMatchObject({ outcome: 'cancelled' })
})
