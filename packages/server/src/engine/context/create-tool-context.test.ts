import { setFlagsFromString } from 'node:v8'
import { createHoldpoint } from '@holdpoint/server'
import { expect, onTestFinished, test } from 'vitest'
import { ADA, call } from '../../../test/engine/support/world.ts'

function contexts(count: number) {
  const holdpoint = createHoldpoint()
  onTestFinished(() => holdpoint.close())
  const session = holdpoint.session('chat', ADA)
  return Array.from({ length: count }, (_, n) => session.toolCall(call(`call-${n}`)))
}

test('the context of a waiting call is no dictionary, which would take 1.8 KB more', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: unknown) => boolean
  // The first object of a shape is always fast.
  const context = contexts(10).at(-1)
  expect([context, context?.interaction, context?.approvals].map(isFast)).toEqual([true, true, true])
})

test('a copy of a context has its signal and its presence', async () => {
  const [context] = contexts(1)
  const copy = { ...context! }
  expect(copy.signal).toBe(context?.signal)
  expect(copy.signal.aborted).toBe(false)
  expect(copy.interaction.available).toBe(false)
  const { check } = copy.interaction
  expect(await check()).toBe(false)
})
