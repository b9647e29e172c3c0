import type { AskedNotice, HoldpointOptions, LifecycleEvent } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, call, open, person } from './support/world.ts'

function world(options: HoldpointOptions = {}) {
  const clock = testClock()
  const notices: AskedNotice[] = []
  const events: LifecycleEvent[] = []
  const holdpoint = open({
    store: memoryStore({ now: clock.now }),
    environment: clock.environment,
    ...options,
    hooks: {
      onAsked: (notice) => void notices.push(notice),
      onEvent: (event) => void events.push(event),
      questionUrl: ({ sessionId, interactionId }) => `https://app.test/${sessionId}#${interactionId}`,
      ...options.hooks,
    },
  })
  const session = holdpoint.session('chat', ADA)
  const presence = async (
    can: { enabled?: boolean; supported?: boolean; visible?: boolean } = {},
    userId = 'ada',
    clientId = 'tab',
  ) => {
    await session.emit({ type: 'content', text: 'hello' })
    await engineOf(holdpoint).presence.touch(
      { tenant: '', sessionId: 'chat', userId: 'ada' },
      { clientId, userId, ...can },
    )
  }
  const ask = (options = {}) =>
    session
      .toolCall(call())
      .requestInteraction({ type: 'approval', onResponse: ({ action }) => ({ complete: action }), ...options })
  return {
    clock,
    holdpoint,
    session,
    notices,
    events,
    presence,
    ask,
    human: testHuman(holdpoint, { ...ADA, present: false }),
  }
}

test('a question without a client is rejected after its grace period and never shown', async () => {
  const { clock, holdpoint, ask } = world()
  const refused = expect(ask()).rejects.toMatchObject({ code: 'interaction_unavailable', outcome: 'unavailable' })
  await clock.advance('14s')
  expect((await person(holdpoint).snapshot()).interactions).toEqual([])
  await clock.advance('2s')
  await refused
  expect((await person(holdpoint).snapshot()).interactions).toEqual([])
})

test('an aborted wait for presence ends immediately', async () => {
  const { clock, session } = world()
  const page = new AbortController()
  const asking = session
    .toolCall({ ...call(), signal: page.signal })
    .requestInteraction({ type: 'approval', onResponse: ({ action }) => ({ complete: action }) })
    .catch((error: unknown) => error)
  await clock.settle()
  page.abort(new Error('gone'))
  await clock.settle()
  expect(await Promise.race([asking, 'still waits'])).toMatchObject({ message: 'gone' })
})

test('a question is asked as soon as a client appears within the grace period', async () => {
  const { clock, ask, presence, human } = world()
  const result = ask()
  await clock.advance('10s')
  await presence()
  await clock.advance('1s')
  await human.approve(await human.next())
  expect(await result).toBe('approve')
})

test.each([
  ['cannot show questions', { supported: false }],
  ['switched them off', { enabled: false }],
])('a client that %s does not count as present', async (_what, can) => {
  const { clock, ask, presence } = world()
  await presence(can)
  const refused = expect(ask()).rejects.toMatchObject({ code: 'interaction_unavailable' })
  await clock.advance('20s')
  await refused
})

test('a client stops counting as present after a minute of silence, and at once if it leaves', async () => {
  const { clock, session, holdpoint, presence } = world()
  const { interaction } = session.toolCall(call())
  await presence()
  expect(await interaction.check()).toBe(true)
  expect(interaction.available).toBe(true)
  await clock.advance('61s')
  expect(await interaction.check()).toBe(false)
  expect(interaction.available).toBe(false)
  await presence()
  expect(await interaction.check()).toBe(true)
  await engineOf(holdpoint).presence.leave(
    { tenant: '', sessionId: 'chat', userId: 'ada' },
    { clientId: 'tab', userId: 'ada' },
  )
  expect(await interaction.check()).toBe(false)
})

test('a client that disappeared stops counting, whether its process drops it or dies too', async () => {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const node = () => open({ store: { ...store, close: async () => {} }, environment: clock.environment })
  const touch = async (holdpoint: ReturnType<typeof node>) => {
    await holdpoint.session('chat', ADA).emit({ type: 'content', text: 'hello' })
    await engineOf(holdpoint).presence.touch(
      { tenant: '', sessionId: 'chat', userId: 'ada' },
      { clientId: 'tab', userId: 'ada' },
    )
  }
  const [one, two] = [node(), node()]
  await touch(one)
  await clock.advance('61s')
  expect((await store.due('presence')).rows).toEqual([])
  await touch(one)
  await one.close()
  const { interaction } = two.session('chat', ADA).toolCall(call())
  expect(await interaction.check()).toBe(true)
  await clock.advance('61s')
  expect((await store.due('presence')).rows).toHaveLength(1)
  expect(await interaction.check()).toBe(false)
})

test('a client that switches questions off and on again can then answer the open question', async () => {
  const { clock, ask, presence, human } = world()
  await presence()
  const result = ask()
  const question = await human.next()
  await presence({ enabled: false }, 'ada', 'test-human-ada')
  await expect(human.approve(question)).rejects.toMatchObject({ code: 'not_interactive' })
  await presence({ enabled: true }, 'ada', 'test-human-ada')
  await human.approve(question)
  await clock.settle()
  expect(await result).toBe('approve')
})

test('approve and ask wait for a client, and onAsked reports that none is present', async () => {
  const { clock, session, notices, human, holdpoint } = world()
  const result = session.toolCall(call()).approve({ prompt: 'Go?' })
  const question = await human.next()
  await clock.settle()
  const { interactionId } = question
  expect(notices).toMatchObject([{ present: false, interactionId, prompt: 'Go?', toolName: 'delete_files' }])
  expect(notices[0]?.url).toBe(`https://app.test/chat#${question.interactionId}`)
  await clock.advance('1m')
  await human.approve(question)
  expect(await result).toMatchObject({ outcome: 'approved' })
  expect(holdpoint.stats()).toMatchObject({ waiting: 0, counts: { asked: 1, answered: 1, resumed: 1 } })
})

test('onAsked learns that a user who can answer has the session open and visible', async () => {
  const { clock, session, notices, presence, human } = world()
  await presence({ visible: true })
  const one = session.toolCall(call('a')).approve({ prompt: 'Go?' })
  const question = await human.next()
  await clock.settle()
  await human.approve(question)
  await one
  expect(notices).toMatchObject([{ present: true, reminder: 0 }])
})

test('onEvent receives every step in order, without the text of questions or answers', async () => {
  const { session, events, presence, human } = world()
  const result = session.toolCall(call()).approve({ prompt: 'Delete the secret plan?', args: { plan: 'secret' } })
  const question = await human.next()
  await presence()
  await human.approve(question, { reason: 'a secret reason' })
  await result
  expect(events.map(({ type }) => type)).toEqual(['asked', 'shown', 'answered', 'closed', 'resumed'])
  expect(events[0]).toMatchObject({
    sessionId: 'chat',
    runId: 'run-1',
    toolCallId: 'call-1',
    kind: 'approval',
    attempt: 1,
  })
  expect(JSON.stringify(events)).not.toContain('secret')
})

test('a hook that throws has no effect on the call', async () => {
  const { session, human } = world({
    hooks: {
      onEvent: () => {
        throw new Error('metrics are down')
      },
      onAsked: () => Promise.reject(new Error('mail is down')),
    },
  })
  const result = session.toolCall(call()).approve({ prompt: 'Go?' })
  await human.approve(await human.next())
  expect(await result).toMatchObject({ outcome: 'approved' })
})

test('log lines contain ids and outcomes, never the text of questions or answers [T19.1]', async () => {
  const lines: string[] = []
  const write = (message: string, facts?: unknown) => void lines.push(`${message} ${JSON.stringify(facts)}`)
  const { session, human, clock } = world({
    logger: { debug: write, info: write, warn: write, error: write },
    hooks: { onFollowUp: () => Promise.reject(new Error('secret in an error')) },
  })
  const failing = session.toolCall(call()).requestInteraction({
    type: 'approval',
    prompt: 'secret prompt',
    args: { secret: 1 },
    whenUnavailable: 'wait',
    timeoutMs: 1_000,
    onResponse: () => ({ complete: 1 }),
    onTimeout: () => ({ pending: { message: 'secret message' } }),
  })
  const question = await human.next()
  await clock.advance('1s')
  await failing
  await human.deny(question, 'secret reason')
  await clock.advance('5s')
  expect(lines.some((line) => line.includes('delivery failed'))).toBe(true)
  expect(lines.join('\n')).not.toContain('secret')
})
