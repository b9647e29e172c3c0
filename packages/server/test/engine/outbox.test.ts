import type { FollowUpDelivery, HoldpointOptions, ToolResultDelivery } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { LATE } from './support/late.ts'
import { clusters, sleep, until } from './support/nodes.ts'
import { ADA, call, open } from './support/world.ts'

function world(options: HoldpointOptions = {}) {
  const clock = testClock()
  const store = faultyStore(memoryStore({ now: clock.now }))
  const holdpoint = open({ store, environment: clock.environment, ...options })
  return { clock, store, holdpoint, session: holdpoint.session('chat', ADA), human: testHuman(holdpoint, ADA) }
}

async function answerLate({ clock, session, human }: ReturnType<typeof world>) {
  const waiting = session.toolCall(call()).requestInteraction(LATE)
  const question = await human.next()
  await clock.advance('1s')
  await waiting
  await human.approve(question)
}

test('a delivery without a hook causes one warning with the name of the hook', async () => {
  const said: unknown[] = []
  const logger = { debug() {}, info() {}, warn: (line: string) => void said.push(line), error() {} }
  const made = world({ logger })
  await answerLate(made)
  await made.clock.advance('1h')
  expect(said).toEqual([
    'there is something to deliver and no onFollowUp: pass it as hooks: { onFollowUp } to createHoldpoint',
  ])
})

test('a hook that fails is called again with the same deliveryId and growing pauses', async () => {
  const ids: string[] = []
  const made = world({
    hooks: {
      onFollowUp: ({ deliveryId }) => {
        ids.push(deliveryId)
        if (ids.length < 4) throw new Error('mail is down')
      },
    },
  })
  await answerLate(made)
  await made.clock.settle()
  const seen = [ids.length]
  for (const pause of ['1s', '2s', '4s', '1h']) {
    await made.clock.advance(pause)
    seen.push(ids.length)
  }
  expect(seen).toEqual([1, 2, 3, 4, 4])
  expect(new Set(ids).size).toBe(1)
})

test('a slow hook does not delay the next delivery', async () => {
  const done: string[] = []
  const made = world({
    hooks: { onFollowUp: ({ toolCallId }) => (toolCallId === 'slow' ? new Promise(() => {}) : done.push(toolCallId)) },
  })
  for (const id of ['slow', 'quick']) {
    const waiting = made.session.toolCall(call(id)).requestInteraction(LATE)
    const question = await made.human.next()
    await made.clock.advance('1s')
    await waiting
    await made.human.approve(question)
    await made.clock.settle()
  }
  expect(done).toEqual(['quick'])
})

test('a delivery without a hook is kept until a process has the hook', async () => {
  const [, makeCluster] = clusters.find(([name]) => name === 'sqlite')!
  const cluster = makeCluster()
  const { holdpoint } = cluster.node()
  const human = testHuman(holdpoint, ADA)
  const waiting = holdpoint
    .session('chat', ADA)
    .toolCall(call())
    .requestInteraction({ ...LATE, timeoutMs: 20 })
  const question = await human.next()
  await waiting
  await human.approve(question)
  await sleep(50)
  const followUps: FollowUpDelivery[] = []
  const later = cluster.node({ hooks: { onFollowUp: (delivery) => void followUps.push(delivery) } })
  await later.holdpoint.tick()
  await until(() => followUps.length > 0, 'delivery by a process that has the hook')
  expect(followUps).toMatchObject([{ reason: 'late_answer', message: expect.stringContaining('Go?') }])
})

test.each(clusters)(
  '%s: a delivery whose process dies inside its hook is made by another process with the same deliveryId',
  async (_name, makeCluster) => {
    const cluster = makeCluster()
    const calls: { by: string; deliveryId: string }[] = []
    const hook = (by: string) => ({
      hooks: {
        onFollowUp: ({ deliveryId }: FollowUpDelivery) => {
          calls.push({ by, deliveryId })
          return by === 'one' ? new Promise(() => {}) : undefined
        },
      },
    })
    const one = cluster.node(hook('one'))
    const human = testHuman(one.holdpoint, ADA)
    const waiting = one.holdpoint
      .session('chat', ADA)
      .toolCall(call())
      .requestInteraction({ ...LATE, timeoutMs: 20 })
    const question = await human.next()
    await waiting
    await human.approve(question)
    await until(() => calls.length > 0, 'the first attempt')
    one.kill()
    const two = cluster.node(hook('two'))
    await two.holdpoint.recover()
    await until(() => calls.length > 1, 'the second attempt')
    expect(calls.map(({ by }) => by)).toEqual(['one', 'two'])
    expect(new Set(calls.map(({ deliveryId }) => deliveryId)).size).toBe(1)
  },
)

test.each(clusters)('%s: a delivery is made by one of several processes', async (_name, makeCluster) => {
  const cluster = makeCluster()
  const delivered: string[] = []
  const nodes = [0, 1, 2].map(() =>
    cluster.node({ hooks: { onFollowUp: ({ deliveryId }) => void delivered.push(deliveryId) } }),
  )
  const [first] = nodes
  const human = testHuman(first!.holdpoint, ADA)
  for (let round = 0; round < 5; round++) {
    const session = first!.holdpoint.session('chat', ADA)
    const waiting = session.toolCall(call(`call-${round}`)).requestInteraction({ ...LATE, timeoutMs: 10 })
    const question = await human.next()
    await waiting
    await human.approve(question)
    await Promise.all(nodes.map(({ holdpoint }) => holdpoint.tick()))
  }
  await until(() => delivered.length >= 5, 'five deliveries')
  await sleep(50)
  expect(delivered).toHaveLength(5)
  expect(new Set(delivered).size).toBe(5)
})

test('a result that a promise received is not delivered again, and one whose process died first is', async () => {
  const [, makeCluster] = clusters.find(([name]) => name === 'memory')!
  const cluster = makeCluster()
  const delivered: ToolResultDelivery[] = []
  const hooks = { onToolResult: (delivery: ToolResultDelivery) => void delivered.push(delivery) }
  const [one, two] = [cluster.node({ hooks }), cluster.node({ hooks })]
  const human = testHuman(two.holdpoint, ADA)
  const ask = (id: string) =>
    one.holdpoint
      .session('chat', ADA)
      .toolCall(call(id))
      .requestInteraction({
        type: 'approval',
        whenUnavailable: 'wait',
        onResponse: ({ action }) => ({ complete: action }),
      })
  const taken = ask('taken')
  await human.approve(await human.next())
  expect(await taken).toBe('approve')
  await sleep(300)
  expect(delivered).toEqual([])
  // Dies with the commit that records the outcome: the promise never receives it.
  void ask('lost')
  const question = await human.next()
  one.store.onCall(({ name }) => (name === 'commit' ? 'die after' : undefined))
  await human.deny(question)
  await until(() => delivered.length > 0, 'delivery by the other process')
  expect(delivered).toMatchObject([{ toolCallId: 'lost', status: 'completed', result: 'deny' }])
})

test('closing acknowledges the results that promises received', async () => {
  const backing = memoryStore()
  const holdpoint = open({ store: { ...backing, close: async () => {} } })
  const human = testHuman(holdpoint, ADA)
  const asked = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  await human.approve(await human.next())
  await asked
  await holdpoint.close()
  expect((await backing.due('delivery')).nextDue).toBeUndefined()
  await backing.close()
})

test('an outcome that a handler decided while the database was unavailable is recorded later, without a second decision', async () => {
  const { clock, store, session, human } = world()
  let handled = 0
  const result = session.toolCall(call()).requestInteraction({
    type: 'approval',
    whenUnavailable: 'wait',
    onResponse: () => {
      store.down()
      return { complete: ++handled }
    },
  })
  await human.approve(await human.next())
  await clock.advance('2m')
  store.up()
  await clock.advance('10s')
  expect(await result).toBe(1)
})

test('an answer while the database is unavailable is rejected with store_unavailable and can be sent again', async () => {
  const { clock, store, session, human } = world()
  const result = session.toolCall(call()).tryApprove({ prompt: 'Go?' })
  const question = await human.next()
  store.down()
  const answering = expect(human.approve(question, { answerId: 'same' })).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  await clock.advance('10s')
  await answering
  store.up()
  await human.approve(question, { answerId: 'same' })
  await clock.settle()
  expect(await result).toMatchObject({ outcome: 'approved' })
})
