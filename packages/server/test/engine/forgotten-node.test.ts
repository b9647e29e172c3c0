import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { heldStore } from './support/held-store.ts'
import { LATE } from './support/late.ts'
import { ADA, call, open } from './support/world.ts'

test('a process that renews its heartbeat while others recover its calls is not removed', async () => {
  const [frozen, clock] = [testClock(), testClock()]
  const store = memoryStore({ now: clock.now })
  let runs = 0
  const execute = () => {
    runs++
    return new Promise<never>(() => {})
  }
  const tool = { name: 'deploy', input: z.object({}), execute }
  const first = open({ store, environment: frozen.environment })
  const held = heldStore(store)
  const second = open({ store: held, environment: clock.environment })
  second.tool(tool)
  void first
    .session('chat', ADA)
    .runTool(first.tool(tool), {}, { runId: 'run-1', toolCallId: 'call-1' })
    .catch(() => {})
  await frozen.settle()
  await clock.advance('10m')
  const [lapsed] = (await store.due('node')).rows
  const { reached, release } = held.hold(
    'load',
    'before',
    (refs) => runs === 2 && refs.length === 1 && refs[0]?.kind === 'node' && refs[0].id === lapsed?.id,
  )
  const recovering = second.recover()
  await reached
  await frozen.advance('10m')
  release()
  await recovering
  const ref = { partition: lapsed!.partition, kind: 'node', id: lapsed!.id }
  expect((await store.load([ref])).rows).toEqual([expect.objectContaining({ id: lapsed!.id })])
})

test('a process is removed after its deliveries were taken over, not during the takeover', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const dying = faultyStore(store)
  const delivered: string[] = []
  // A dead process says no goodbye.
  const first = createHoldpoint({
    store: dying,
    environment: clock.environment,
    hooks: {
      onFollowUp() {
        dying.die()
        return new Promise(() => {})
      },
    },
  })
  const held = heldStore(store)
  const onFollowUp = () => void delivered.push('by the second')
  const second = open({ store: held, environment: clock.environment, hooks: { onFollowUp } })
  const asked = first.session('chat', ADA).toolCall(call()).requestInteraction(LATE)
  const human = testHuman(first, ADA)
  const question = await human.next()
  await clock.advance('1s')
  await asked
  void human.approve(question).catch(() => {})
  while (!dying.dead) await clock.settle()
  await clock.jump('1m')

  const { reached, release } = held.hold('commit', 'before', ({ puts = [] }) =>
    puts.some(({ kind }) => kind === 'delivery'),
  )
  let over = false
  const recovering = second.recover().then(() => {
    over = true
  })
  await reached
  await clock.settle()
  expect([over, (await store.due('node')).rows.length]).toEqual([false, 1])
  release()
  await recovering
  await clock.advance('1s')
  expect(delivered).toEqual(['by the second'])
  expect((await store.due('node')).rows).toEqual([])
})
