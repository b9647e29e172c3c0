import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
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

  test('notifies further users after its time; their answers count, and all others are informed', async () => {
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

  test('gives no right before its time', async () => {
    const { holdpoint, ask, pass } = world({ route })
    void ask()
    await pass('30m')
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
    await pass('31m')
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toMatchObject([{ audience: ['carol'] }])
  })

  test('does not happen after the answer', async () => {
    const { holdpoint, ask, seen, pass } = world({ route })
    const asking = ask()
    await pass('5m')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('2h')
    expect(seen()).toEqual(['ada 0'])
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
  })

  test('cannot hand a request for accounts to another user', async () => {
    const { clock, holdpoint, seen, pass } = world({ route })
    const context = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'mail' })
    void context.tryConnect?.({ integrations: ['slack'] }).catch(() => {})
    await clock.advance('2h')
    await pass('1s')
    expect(seen()).not.toContain('carol 0')
  })

  test('is forgotten with its user', async () => {
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

describe('presence', () => {
  const route = { unseenFor: '30s' }
  const look = (holdpoint: Holdpoint) =>
    engineOf(holdpoint).presence.touch({ tenant: '', sessionId: 'chat', userId: 'ada' } as never, {
      clientId: 'tab',
      userId: 'ada',
      supported: true,
    })

  test('a user who looks at the session is notified when no user has looked for that long', async () => {
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

  test('a user who does not look is notified after that time, and not before', async () => {
    const { ask, seen, pass } = world({ route })
    void ask()
    await pass('25s')
    expect(seen()).toEqual([])
    await pass('10s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a question that is answered while a user looks is never sent', async () => {
    const { holdpoint, ask, seen, pass } = world({ route })
    const asking = ask()
    await look(holdpoint)
    await pass('20s')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('1h')
    expect(seen()).toEqual([])
  })
})

describe('quiet hours', () => {
  const hours = { from: '11:00', to: '20:00', timeZone: 'UTC' }

  test('a message waits for their end, one user does not wait for another', async () => {
    const { ask, seen, pass } = world({ quietHours: ({ userId }) => (userId === 'ada' ? hours : null) })
    void ask({ audience: ['bob'] })
    await pass('10m')
    expect(seen()).toEqual(['bob 0'])
    await pass('7h')
    expect(seen()).toEqual(['bob 0'])
    await pass('1h')
    expect(seen()).toEqual(['bob 0', 'ada 0'])
  })

  test('hours that are not valid do not delay the question', async () => {
    const hoursOf = ({ userId }: { userId: string }) => (userId === 'ada' ? { ...hours, timeZone: 'Mars/Base' } : null)
    const { ask, seen, pass } = world({ quietHours: hoursOf })
    void ask({ audience: ['bob'] })
    await pass('1m')
    expect(seen().sort()).toEqual(['ada 0', 'bob 0'])
  })

  test('hours that cannot be looked up are looked up again, and nothing is sent before', async () => {
    let failures = 3
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

  test('a reminder that falls into them is one message with the first', async () => {
    const { ask, seen, pass } = world({ quietHours: () => hours, route: { remind: ['1h', '2h'] } })
    void ask()
    await pass('9h')
    expect(seen()).toEqual(['ada 0'])
  })
})

test('a plan that can never work is refused when it is added', () => {
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

test('a plan survives its process, and each step is sent once over several nodes', async () => {
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
