import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type Surface } from '@holdpoint/server/surfaces'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import type { SurfaceOptions } from '../../src/surfaces/add-surfaces.ts'
import { boardWorld } from './support/board.ts'

const ADA = { userId: 'ada' }
const DAY = 86_400_000

/** Nodes with a board, a clock that starts at noon UTC, and what is on the board by user. */
function world(options: Omit<Partial<SurfaceOptions>, 'pages' | 'surfaces'> = {}) {
  const clock = testClock({ start: Date.UTC(2030, 0, 1, 12) })
  const store = memoryStore({ now: clock.now })
  const board = boardWorld()
  const node = () => {
    const holdpoint = createHoldpoint({
      store: { ...store, close: async () => {} },
      name: crypto.randomUUID(),
      environment: clock.environment,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      hooks: { onToolResult: () => {}, onFollowUp: () => {} },
    })
    onTestFinished(() => holdpoint.close())
    const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
    addSurfaces(holdpoint, { pages, surfaces: [board.surface], ...options })
    return holdpoint
  }
  const holdpoint = node()
  const ask = async (asked: object = {}) => {
    const toolCall = { runId: 'run-1', toolCallId: crypto.randomUUID(), toolName: 'deploy' }
    const context = holdpoint.session('chat', ADA).toolCall(toolCall)
    const asking = context.tryApprove({ prompt: 'Deploy?', timeoutMs: 5 * DAY, ...asked }).catch((error) => error)
    await clock.advance('1s')
    return asking
  }
  const seen = () => board.messages().map(({ userId, reminders }) => `${userId} ${reminders}`)
  const pass = async (time: number | string) => {
    await clock.advance(time)
    await clock.advance('1s')
  }
  return { clock, board, node, holdpoint, ask, seen, pass }
}

async function approveAs(holdpoint: Holdpoint, userId: string, pass: (time: string) => Promise<void>) {
  const human = testHuman(holdpoint, { userId, present: false })
  const [question] = await human.waiting()
  if (!question) throw new Error(`${userId} has no question`)
  await Promise.race([human.approve(question), pass('10s')])
}

describe('escalation', () => {
  const route = { to: ['ada'], remind: ['15m'], escalate: [{ after: '1h', to: ['carol'] }] }

  test('notifies further users after its delay, their answers count, and all others are informed', async () => {
    const { holdpoint, ask, seen, pass, board } = world({ route })
    const asking = ask()
    await pass('59m')
    expect(seen()).toEqual(['ada 1'])
    await pass('1m')
    expect(seen()).toEqual(['ada 1', 'carol 0'])
    await approveAs(holdpoint, 'carol', pass)
    expect(await asking).toMatchObject({ outcome: 'approved' })
    await pass('5s')
    expect(board.messages().map(({ userId, outcome }) => [userId, outcome])).toEqual([
      ['ada', expect.stringMatching(/^Someone else approved|approved/)],
      ['carol', 'You approved this'],
    ])
  })

  test('gives no right to answer before its delay', async () => {
    const { holdpoint, ask, pass } = world({ route })
    void ask()
    await pass('30m')
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
    await pass('31m')
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toMatchObject([{ audience: ['carol'] }])
  })

  test('does not happen after an answer', async () => {
    const { holdpoint, ask, seen, pass } = world({ route })
    const asking = ask()
    await pass('5m')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('2h')
    expect(seen()).toEqual(['ada 0'])
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
  })

  test('cannot give a request for accounts to another user', async () => {
    const { clock, holdpoint, seen, pass } = world({ route })
    const context = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'mail' })
    void context.tryConnect?.({ integrations: ['slack'] }).catch(() => {})
    await clock.advance('2h')
    await pass('1s')
    expect(seen()).not.toContain('carol 0')
  })

  test('is removed when its user is erased', async () => {
    const { holdpoint, ask, pass, board, clock } = world({ route })
    void ask()
    await pass('1h')
    expect(board.messages()).toHaveLength(2)
    await holdpoint.eraseUser({ userId: 'carol' })
    const rows = await engineOf(holdpoint).store.list('s//chat', 'sent')
    expect(rows.map(({ data }) => data.includes('carol'))).toEqual([false])
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toEqual([])
    await clock.advance('1d')
    expect(board.messages().find(({ userId }) => userId === 'carol')?.reminders).toBe(0)
  })
})

describe('routing by presence', () => {
  const route = { unseenFor: '30s' }
  const CHAT = { tenant: '', sessionId: 'chat', userId: 'ada' } as never
  const look = (holdpoint: Holdpoint, visible = true) =>
    engineOf(holdpoint).presence.touch(CHAT, { clientId: 'tab', userId: 'ada', supported: true, visible })
  const lookAtInbox = (holdpoint: Holdpoint, visible = true, user = ADA) =>
    engineOf(holdpoint).presence.inbox(user, { clientId: 'inbox', visible })

  test('notifies a user who looked at the session after no user has looked for the given time', async () => {
    const { holdpoint, ask, seen, pass } = world({ route })
    await look(holdpoint)
    void ask()
    for (let half = 0; half < 8; half++) {
      await look(holdpoint)
      await pass('30s')
    }
    expect(seen()).toEqual([])
    await pass('3m')
    expect(seen()).toEqual(['ada 0'])
  })

  test('notifies a user who does not look after the given time, and not before', async () => {
    const { ask, seen, pass } = world({ route })
    void ask()
    await pass('25s')
    expect(seen()).toEqual([])
    await pass('10s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('sends nothing for a question that is answered while a user looks', async () => {
    const { holdpoint, ask, seen, pass } = world({ route })
    const asking = ask()
    await look(holdpoint)
    await pass('20s')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('1h')
    expect(seen()).toEqual([])
  })

  test('a message without `unseenFor` in the plan is sent at once if no user looks, and else 30 seconds after the last look', async () => {
    const { holdpoint, ask, seen, pass } = world()
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
    await look(holdpoint)
    void ask()
    await pass('40s')
    expect(seen()).toEqual(['ada 0'])
    await look(holdpoint, false)
    await pass('28s')
    expect(seen()).toEqual(['ada 0'])
    await pass('5s')
    expect(seen()).toEqual(['ada 0', 'ada 0'])
  })

  test('a user who looks is notified at once with `unseenFor: 0`', async () => {
    const { holdpoint, ask, seen, pass } = world({ route: { unseenFor: 0 } })
    await look(holdpoint)
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a background tab, and a stream whose page reported nothing, do not count as a look', async () => {
    const { holdpoint, ask, seen, pass } = world()
    await look(holdpoint, false)
    await engineOf(holdpoint).presence.touch(CHAT, { clientId: 'stream', userId: 'ada' })
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('one visible tab keeps the session visible through its stream', async () => {
    const { holdpoint, ask, seen, pass } = world()
    await look(holdpoint)
    const touch = engineOf(holdpoint).presence.touch
    await touch(CHAT, { clientId: 'other', userId: 'ada', visible: false })
    void ask()
    for (let half = 0; half < 8; half++) {
      await touch(CHAT, { clientId: 'tab', userId: 'ada' })
      await pass('30s')
    }
    expect(seen()).toEqual([])
    await engineOf(holdpoint).presence.leave(CHAT, { clientId: 'tab', userId: 'ada' })
    await pass('35s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a page that is reloaded continues the look', async () => {
    const { holdpoint, ask, seen, pass } = world()
    await look(holdpoint)
    await engineOf(holdpoint).presence.leave(CHAT, { clientId: 'tab', userId: 'ada' })
    void ask()
    await pass('2s')
    await engineOf(holdpoint).presence.touch(CHAT, { clientId: 'tab-2', userId: 'ada', visible: true })
    await pass('40s')
    expect(seen()).toEqual([])
  })

  test('a visible inbox counts as a look at the questions of all sessions, on every node, until it is hidden or silent', async () => {
    const { holdpoint, node, ask, seen, pass } = world()
    const other = node()
    await lookAtInbox(other)
    void ask()
    await pass('50s')
    expect(seen()).toEqual([])
    await lookAtInbox(other)
    await pass('50s')
    expect(seen()).toEqual([])
    await lookAtInbox(holdpoint, false)
    await pass('35s')
    expect(seen()).toEqual(['ada 0'])
    await lookAtInbox(other)
    void ask()
    await pass('50s')
    expect(seen()).toEqual(['ada 0'])
    // The page vanished without a word.
    await pass('60s')
    expect(seen()).toEqual(['ada 0', 'ada 0'])
  })

  test('an inbox of another user or tenant does not count as a look', async () => {
    const { holdpoint, ask, seen, pass } = world()
    await lookAtInbox(holdpoint, true, { userId: 'eve' })
    await lookAtInbox(holdpoint, true, { userId: 'ada', tenant: 'other' } as never)
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a user who is away is notified while another user of the step looks, and each of them once', async () => {
    const { holdpoint, ask, seen, pass } = world({ route: { remind: ['10m'] } })
    await look(holdpoint)
    void ask({ audience: ['bob', 'carol'] })
    await pass('1s')
    expect(seen()).toEqual(['bob 0', 'carol 0'])
    for (let half = 0; half < 21; half++) {
      await look(holdpoint)
      await pass('30s')
    }
    expect(seen()).toEqual(['bob 1', 'carol 1'])
    await look(holdpoint, false)
    await pass('32s')
    expect(seen()).toEqual(['bob 1', 'carol 1', expect.stringMatching(/^ada/)])
    await pass('1h')
    expect(seen().slice(0, 2)).toEqual(['bob 1', 'carol 1'])
    expect(seen()).toHaveLength(3)
  })

  test('a surface that cannot reach a user who is away is not asked again while another user looks', async () => {
    const { holdpoint, ask, pass, board } = world()
    const present = vi.spyOn(board.surface, 'present').mockResolvedValue(null)
    await look(holdpoint)
    await lookAtInbox(holdpoint, true, { userId: 'bob' })
    void ask({ audience: ['bob'] })
    await pass('5s')
    await lookAtInbox(holdpoint, false, { userId: 'bob' })
    for (let half = 0; half < 6; half++) {
      await look(holdpoint)
      await pass('30s')
    }
    expect(present.mock.calls.map(([, { userId }]) => userId)).toEqual(['bob'])
  })

  test('users of one step who look for different times are notified one after the other', async () => {
    const { holdpoint, ask, seen, pass } = world()
    await look(holdpoint)
    await lookAtInbox(holdpoint, true, { userId: 'bob' })
    void ask({ audience: ['bob'] })
    await pass('5s')
    await look(holdpoint, false)
    await pass('20s')
    await lookAtInbox(holdpoint, false, { userId: 'bob' })
    await pass('12s')
    expect(seen()).toEqual(['ada 0'])
    await pass('25s')
    expect(seen()).toEqual(['ada 0', 'bob 0'])
  })

  test('users to whom a question is escalated can answer it at that moment, and are not notified while they look', async () => {
    const { holdpoint, ask, seen, pass } = world({ route: { escalate: [{ after: '1h', to: ['carol'] }] } })
    void ask()
    await pass('59m')
    await lookAtInbox(holdpoint, true, { userId: 'carol' })
    await pass('65s')
    expect(seen()).toEqual(['ada 0'])
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toMatchObject([{ audience: ['carol'] }])
    await lookAtInbox(holdpoint, false, { userId: 'carol' })
    await pass('1m')
    expect(seen()).toEqual(['ada 0', 'carol 0'])
  })

  test('looks are removed after an hour, and with their user', async () => {
    const { holdpoint, node, pass } = world()
    const { store } = engineOf(holdpoint)
    const rows = async (partition: string) => (await store.list(partition, 'looked')).map(({ id }) => id)
    await look(holdpoint)
    await look(holdpoint, false)
    await lookAtInbox(holdpoint)
    await lookAtInbox(holdpoint, false)
    expect([await rows('p//chat'), await rows('l//ada')]).toEqual([['ada'], ['ada']])
    await holdpoint.eraseUser({ userId: 'ada' })
    expect(await rows('l//ada')).toEqual([])
    // A process that starts later forgets what others remembered.
    await holdpoint.close()
    await look(node())
    await pass('61m')
    expect(await rows('p//chat')).toEqual([])
  })
})

describe('quiet hours', () => {
  const hours = { from: '11:00', to: '20:00', timeZone: 'UTC' }

  test('delay a message until their end, for this user only', async () => {
    const { ask, seen, pass } = world({ quietHours: ({ userId }) => (userId === 'ada' ? hours : null) })
    void ask({ audience: ['bob'] })
    await pass('10m')
    expect(seen()).toEqual(['bob 0'])
    await pass('7h')
    expect(seen()).toEqual(['bob 0'])
    await pass('1h')
    expect(seen()).toEqual(['bob 0', 'ada 0'])
  })

  test('that are invalid do not delay the question', async () => {
    const hoursOf = ({ userId }: { userId: string }) => (userId === 'ada' ? { ...hours, timeZone: 'Mars/Base' } : null)
    const { ask, seen, pass } = world({ quietHours: hoursOf })
    void ask({ audience: ['bob'] })
    await pass('1m')
    expect(seen().sort()).toEqual(['ada 0', 'bob 0'])
  })

  test('that fail to load are loaded again, and nothing is sent before', async () => {
    let failures = 4
    const { ask, seen, pass } = world({
      quietHours: () => {
        if (failures-- > 0) throw new Error('The database is down.')
        return null
      },
    })
    void ask()
    await pass('2s')
    expect(seen()).toEqual([])
    await pass('1m')
    expect(seen()).toEqual(['ada 0'])
  })

  test('combine a reminder that is due in them with the first message', async () => {
    const { ask, seen, pass } = world({ quietHours: () => hours, route: { remind: ['1h', '2h'] } })
    void ask()
    await pass('9h')
    expect(seen()).toEqual(['ada 0'])
  })
})

test('a plan that can never work is rejected when it is added', () => {
  expect(() => world({ route: { remind: ['soon'] } })).toThrowError(/no time/)
  expect(() => world({ route: { surfaces: ['fax'] } })).toThrowError(/"fax"/)
})

test('a route decides for each interaction, and null notifies no user', async () => {
  const { ask, seen, pass } = world({
    route: ({ request }) => ('prompt' in request && request.prompt === 'Deploy?' ? { to: ['ada'] } : null),
  })
  void ask()
  void ask({ prompt: 'Something else?' })
  await pass('1m')
  expect(seen()).toEqual(['ada 0'])
})

test('a plan continues after its process ends, and several nodes send each step once', async () => {
  const { holdpoint, node, ask, seen, pass } = world({
    route: { remind: ['15m', '1d'], escalate: [{ after: '2h', to: ['carol'] }] },
  })
  void ask()
  await pass('5m')
  const others = [node(), node()]
  for (const other of others) void other.recover()
  await holdpoint.close()
  await pass('3h')
  expect(seen()).toEqual(['ada 1', 'carol 0'])
  await pass('1d')
  expect(seen()).toEqual(['ada 2', 'carol 0'])
})

test('the link of a question that stays answerable works after its deadline, and that of another question does not', async () => {
  const clock = testClock({ start: Date.UTC(2030, 0, 1, 12) })
  const holdpoint = createHoldpoint({
    store: memoryStore({ now: clock.now }),
    name: crypto.randomUUID(),
    environment: clock.environment,
    hooks: { onToolResult: () => {}, onFollowUp: () => {} },
  })
  onTestFinished(() => holdpoint.close())
  const tokens = new Map<string, string>()
  const surface: Surface<string> = {
    name: 'links',
    async present({ toolName }, _recipient, links) {
      tokens.set(toolName, (await links.answer()).split('/').at(-1) ?? '')
      return toolName
    },
    async update() {},
  }
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  addSurfaces(holdpoint, { pages, surfaces: [surface as Surface], route: { to: ['ada'] } })
  for (const toolName of ['later', 'now']) {
    void holdpoint
      .session('chat', ADA)
      .toolCall({ runId: 'run-1', toolCallId: toolName, toolName })
      .requestInteraction({
        ...{ type: 'approval', prompt: 'Deploy?', timeoutMs: 600_000, whenUnavailable: 'wait' },
        answerableLater: toolName === 'later',
        onResponse: ({ action }) => ({ complete: action }),
        onTimeout: () => ({ pending: { message: 'The question is still open.' } }),
      })
  }
  await clock.advance('1m')
  expect([...tokens.keys()].sort()).toEqual(['later', 'now'])
  await clock.advance('1h')
  expect(await holdpoint.links.open(tokens.get('later') ?? '')).toMatchObject({ sessionId: 'chat' })
  expect(await holdpoint.links.open(tokens.get('now') ?? '')).toBeNull()
})
