import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { testClock } from '@holdpoint/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { shownIn } from '../../../test/engine/support/shown-in.ts'
import { engineOf } from '../../http/mounted.ts'
import type { LifecycleEvent } from '../api/lifecycle-event.ts'

/** A store that counts its subscriptions and their ends. */
function world(waiting: 'inline' | 'suspend' = 'inline') {
  const clock = testClock()
  const inner = memoryStore({ now: clock.now })
  const counts = { began: 0, ended: 0 }
  const store: Store = {
    ...inner,
    // In suspend mode a store has to be one that others can see.
    shared: true,
    subscribe(listener) {
      counts.began++
      const stop = inner.subscribe(listener)
      return () => {
        counts.ended++
        stop()
      }
    },
  }
  let asked = (_id: string) => {}
  const onEvent = (event: LifecycleEvent) => {
    if (event.type === 'asked') asked(event.interactionId)
  }
  const holdpoint = createHoldpoint({
    store,
    waiting,
    authenticate: () => null,
    environment: clock.environment,
    hooks: { onEvent, onFollowUp: () => {}, onToolResult: () => {} },
  })
  onTestFinished(() => holdpoint.close())
  let count = 0
  /** Asks, answers, and waits until the code continues. */
  const ask = async () => {
    const callId = `c${++count}`
    const interaction = new Promise<string>((resolve) => {
      asked = resolve
    })
    const call = holdpoint.session('s', { userId: 'ada' }).toolCall({ runId: 'r', toolCallId: callId, toolName: 't' })
    const gone = call.approve({ prompt: 'Go?' })
    const answer = { type: 'tool_interaction_response' as const, clientId: 'tab', action: 'approve' as const }
    const interactionId = await interaction
    const shown = { shownDigest: await shownIn(holdpoint, 's', interactionId) }
    const ids = { callId, interactionId, answerId: `${callId} yes`, ...shown }
    expect(await engineOf(holdpoint).answer({ userId: 'ada' }, 's', { ...answer, ...ids })).toMatchObject({
      status: 200,
    })
    await gone
  }
  return { clock, counts, ask, holdpoint }
}

test('consecutive questions share one subscription to the store, which ends after the last one', async () => {
  const { clock, counts, ask } = world()
  await ask()
  const { began } = counts
  for (let n = 0; n < 10; n++) await ask()
  expect(counts).toEqual({ began, ended: 0 })
  await clock.advance(5_000)
  await vi.waitFor(() => expect(counts.ended).toBe(began))
  await ask()
  expect(counts.began).toBe(2 * began)
})

test('a question that is asked while the subscription ends is still notified', async () => {
  const { clock, counts, ask, holdpoint } = world()
  await ask()
  const call = holdpoint.session('s', { userId: 'ada' }).toolCall({ runId: 'r', toolCallId: 'open', toolName: 't' })
  void call.approve({ prompt: 'Go?' })
  await clock.advance(5_000)
  expect(counts.ended).toBe(0)
})

test('a subscription ends at once in a process without timers, because no timer would end it later', async () => {
  const { counts, holdpoint } = world('suspend')
  const tool = holdpoint.tool({ name: 't', input: z.object({}), execute: () => 'done' })
  await holdpoint.session('s', { userId: 'ada' }).runTool(tool, {}, { runId: 'r', toolCallId: 'c' })
  expect(counts.began).toBeGreaterThan(0)
  expect(counts.ended).toBe(counts.began)
})
