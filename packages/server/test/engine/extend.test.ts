import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, open } from './support/world.ts'

test('a question cannot be extended after its deadline, even if it has not been expired yet', async () => {
  // The process sleeps, so that nothing but the answer to the request itself can tell.
  const [asleep, store] = [testClock(), testClock()]
  const holdpoint = open({ store: memoryStore({ now: store.now }), environment: asleep.environment })
  const question = { prompt: 'Go?', extendable: true, timeoutMs: 60_000 }
  const waiting = holdpoint.session('chat', ADA).toolCall(call()).tryApprove(question)
  const { interactionId } = await testHuman(holdpoint, ADA).next()
  const extend = () =>
    engineOf(holdpoint).extend(ADA, 'chat', { type: 'extend_interaction', clientId: 'tab', interactionId })
  await store.advance(59_999)
  expect(await extend()).toMatchObject({ status: 200 })
  await store.advance(59_999)
  expect(await extend()).toMatchObject({ status: 200 })
  await store.advance(60_000)
  expect(await extend()).toMatchObject({ body: { error: { code: 'not_extendable' } } })
  await asleep.advance('10m')
  expect(await waiting).toMatchObject({ outcome: 'expired' })
})
