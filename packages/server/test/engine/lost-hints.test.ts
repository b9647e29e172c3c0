import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { ADA, call, open } from './support/world.ts'

test('where no hint arrives, whoever waits looks by itself, as often as it takes', async () => {
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
