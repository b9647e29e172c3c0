import { HoldpointError } from '@holdpoint/core'
import type { FollowUpDelivery, LifecycleEvent } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { heldStore } from './support/held-store.ts'
import { clusters, sleep, until } from './support/nodes.ts'
import { shownIn } from './support/shown-in.ts'
import { ADA, call, open, person, stores } from './support/world.ts'

/** Tells which rows each commit writes, and which are read. */
function watched(store: Store) {
  const commits: string[][] = []
  const loads: string[] = []
  const commit: Store['commit'] = (item) => {
    commits.push([...(item.puts ?? []), ...(item.deletes ?? [])].map(({ kind }) => kind))
    return store.commit(item)
  }
  const load: Store['load'] = (refs) => {
    loads.push(...refs.map(({ id }) => id))
    return store.load(refs)
  }
  return { commits, loads, store: { ...store, commit, load } }
}

describe.each(stores)('%s: the number of commits between an answer and the tool that continues', (_name, makeStore) => {
  const ways = {
    'an approval needs one commit, of the answer with its outcome': { commits: 1, how: 'approve' },
    'a form needs one commit': { commits: 1, how: 'ask' },
    'a form whose schema changes the input needs two commits': { commits: 2, how: 'schema' },
    'a handler needs two commits, because it runs after its answer has won': { commits: 2, how: 'handler' },
  } as const

  test.each(Object.entries(ways))('%s', async (_title, { commits: expected, how }) => {
    const { commits, loads, store } = watched(makeStore())
    const holdpoint = open({ store })
    const human = testHuman(holdpoint, { ...ADA, present: false })
    const session = holdpoint.session('chat', ADA)
    const fields = [{ id: 'text', type: 'text', label: 'Text' }] as const
    const asked = (id: string): Promise<unknown> => {
      const context = session.toolCall(call(id))
      if (how === 'approve') return context.approve({ prompt: 'Go?' })
      if (how === 'ask') return context.ask({ prompt: 'What?', fields })
      if (how === 'schema') return context.ask({ prompt: 'What?', schema: z.object({ text: z.string() }) })
      const onResponse = () => ({ complete: commits.length })
      return context.requestInteraction({ type: 'approval', prompt: 'Go?', whenUnavailable: 'wait', onResponse })
    }
    // Others wait in the same session, and are looked up with it.
    const [first] = [0, 1, 2].map((n) => asked(`call-${n}`))
    await until(async () => (await human.waiting()).length === 3, 'three questions')
    const question = (await human.waiting()).find(({ toolCallId }) => toolCallId === 'call-0')!
    await sleep(20)
    commits.length = loads.length = 0
    const resumed = first!.then((value) => ({
      value,
      after: commits.length,
      read: loads.filter((id) => id === question.interactionId).length,
    }))
    if (how === 'ask' || how === 'schema') await human.fill(question, { text: 'a' })
    else await human.approve(question)
    const { value, after, read } = await resumed
    expect(after, JSON.stringify(commits)).toBe(expected)
    // Where the question lies: once for a plain answer, and nothing is read after its commit.
    if (how === 'approve') expect(read).toBe(1)
    if (how === 'handler') expect(value).toBe(1)
    await until(() => commits.length === expected + 1, 'the acknowledgement')
    expect(commits[expected]).toEqual(['delivery'])
  })
})

test('events of an answer and its outcome are emitted in order, although one commit contains them', async () => {
  const told: LifecycleEvent['type'][] = []
  const holdpoint = open({ hooks: { onEvent: ({ type }) => void told.push(type) } })
  const human = testHuman(holdpoint, { ...ADA, present: false })
  const approved = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  await human.approve(await human.next())
  expect(await approved).toMatchObject({ outcome: 'approved', respondedBy: { userId: 'ada' } })
  expect(told).toEqual(['asked', 'answered', 'closed', 'resumed'])
  const events = await person(holdpoint).events()
  expect(events.map(({ type }) => type)).toEqual([
    'interaction_request',
    'run_status',
    'interaction_response',
    'run_status',
  ])
})

test('a process whose question is answered elsewhere reads once and commits once before it continues', async () => {
  const shared = { ...memoryStore(), close: async () => {} }
  const { loads, commits, store } = watched(shared)
  const [waiting, answering] = [open({ store }), open({ store: shared })]
  const human = testHuman(answering, { ...ADA, present: false })
  const asked = waiting.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  await sleep(20)
  commits.length = loads.length = 0
  const resumed = asked.then(() => [loads.filter((id) => id === question.interactionId).length, commits.length])
  await human.approve(question)
  expect(await resumed).toEqual([2, 1])
})

test('a process whose read is outdated when it commits the outcome reads again', async () => {
  const shared = { ...memoryStore(), close: async () => {} }
  const late = heldStore(shared)
  const [waiting, answering] = [open({ store: late }), open({ store: shared })]
  const human = testHuman(answering, { ...ADA, present: false })
  const asked = waiting.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  await sleep(20)
  const look = late.hold('load', 'after', (refs) => refs[0]?.kind === 'question')
  await human.approve(question)
  await look.reached
  // The run waits for another question meanwhile, so it is not as it was read.
  void answering.session('chat', ADA).toolCall(call('call-2')).approve({ prompt: 'And this?' })
  await human.next()
  look.release()
  expect(await asked).toMatchObject({ outcome: 'approved' })
})

test('an answer whose process dies with the commit of its outcome becomes a follow-up, once', async () => {
  for (const [name, makeCluster] of clusters) {
    const cluster = makeCluster()
    const followUps: FollowUpDelivery[] = []
    const hooks = { onFollowUp: (delivery: FollowUpDelivery) => void followUps.push(delivery) }
    const [one, two] = [cluster.node({ hooks }), cluster.node({ hooks })]
    await two.holdpoint.recover()
    const human = testHuman(one.holdpoint, { ...ADA, present: false })
    void one.holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
    const question = await human.next()
    const { commit } = one.store
    one.store.commit = (item) => {
      if (item.puts?.some(({ kind }) => kind === 'ended')) one.store.onCall(() => 'die after')
      return commit(item)
    }
    void human.approve(question).catch(() => {})
    await until(() => followUps.length > 0, `${name}: the follow-up`)
    expect(followUps, name).toMatchObject([{ reason: 'orphaned', answer: { action: 'approve' } }])
    // A repeated call receives the same answer without a new question.
    const again = await two.holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
    expect(again, name).toMatchObject({ outcome: 'approved' })
    await sleep(300)
    expect(followUps, name).toHaveLength(1)
  }
})

test('an execution that lost its call records no outcome, and its successor does', async () => {
  const shared = memoryStore()
  const { commits, store } = watched({ ...shared, close: async () => {} })
  const late = heldStore(store)
  const [first, second] = [open({ store: late }), open({ store: { ...shared, close: async () => {} } })]
  const human = testHuman(first, { ...ADA, present: false })
  const ask = (holdpoint: typeof first) => holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const lost = ask(first)
  const question = await human.next()
  await sleep(20)
  // The first process does not see yet that the call was made again elsewhere.
  const look = late.hold('load', 'before', (refs) => refs[0]?.kind === 'question')
  const taken = ask(second)
  await look.reached
  commits.length = 0
  await human.approve(question)
  expect(commits).toEqual([['question']])
  expect(await taken).toMatchObject({ outcome: 'approved' })
  look.release()
  await expect(lost).rejects.toMatchObject({ code: 'ownership_lost' })
  await shared.close()
})

test('a run that the host cancelled does not continue after an answer', async () => {
  const holdpoint = open()
  const human = testHuman(holdpoint, { ...ADA, present: false })
  const session = holdpoint.session('chat', ADA)
  const asked = session.toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  await session.emit({ type: 'run_status', runId: 'run-1', status: 'cancelled', reason: 'enough' })
  await human.approve(question)
  await expect(asked).rejects.toMatchObject({ outcome: 'cancelled', reason: 'enough' })
})

test('an answer counts, and its tool continues once, if the store loses the acknowledgment of the commit', async () => {
  for (const [name, makeStore] of stores) {
    const backing = makeStore()
    let lose = false
    const store: Store = {
      ...backing,
      async commit(item) {
        const result = await backing.commit(item)
        if (!lose) return result
        lose = false
        throw new HoldpointError('store_unavailable', 'gone', { details: { applied: 'unknown' } })
      },
    }
    const holdpoint = open({ store })
    const human = testHuman(holdpoint, { ...ADA, present: false })
    const asked = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
    const question = await human.next()
    lose = true
    await human.approve(question)
    expect(await asked, name).toMatchObject({ outcome: 'approved' })
    expect(holdpoint.stats(), name).toMatchObject({ waiting: 0, calls: 0 })
  }
})

test('a slow authorization that rejects an answer does not delay the waiting tool', async () => {
  let decide = () => {}
  const holdpoint = open({
    security: {
      authorize: ({ action, principal }) =>
        action !== 'respond' || principal.userId === 'ada' || new Promise((resolve) => (decide = () => resolve(false))),
    },
  })
  const human = testHuman(holdpoint, { ...ADA, present: false })
  const session = holdpoint.session('chat', ADA)
  const asked = session.toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  const bob = person(holdpoint, 'chat', { userId: 'bob' }).answer(
    { interactionId: question.interactionId, toolCallId: question.toolCallId },
    { action: 'approve', shownDigest: await shownIn(holdpoint, 'chat', question.interactionId) },
  )
  await session.cancelRun('run-1')
  await expect(asked).rejects.toMatchObject({ outcome: 'cancelled' })
  decide()
  expect(await bob).toMatchObject({ status: 403 })
})

test('a waiting tool keeps polling after a commit of its outcome failed', async () => {
  const backing = memoryStore()
  const store: Store = {
    ...backing,
    commit: (item) =>
      item.puts?.some(({ kind }) => kind === 'ended')
        ? Promise.reject(new HoldpointError('store_full', 'full', { details: { applied: 'no' } }))
        : backing.commit(item),
  }
  const holdpoint = open({ store })
  const human = testHuman(holdpoint, { ...ADA, present: false })
  const asked = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  await expect(human.approve(question)).rejects.toMatchObject({ code: 'store_full' })
  store.commit = backing.commit
  // Another process answers, one that does not know who waits.
  const elsewhere = open({ store: { ...backing, close: async () => {} } })
  await testHuman(elsewhere, { ...ADA, present: false }).approve(question)
  expect(await asked).toMatchObject({ outcome: 'approved' })
})
