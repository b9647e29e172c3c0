import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type Surface } from '@holdpoint/server/surfaces'
import { testClock } from '@holdpoint/server/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, approveAs, routingWorld } from './support/routing-world.ts'

describe('escalation', () => {
  const route = { to: ['ada'], remind: ['15m'], escalate: [{ after: '1h', to: ['carol'] }] }

  test('notifies further users after its delay, their answers count, and all others are informed', async () => {
    const { holdpoint, ask, seen, pass, board } = routingWorld({ route })
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
    const { holdpoint, ask, pass } = routingWorld({ route })
    void ask()
    await pass('30m')
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
    await pass('31m')
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toMatchObject([{ audience: ['carol'] }])
  })

  test('does not happen after an answer', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld({ route })
    const asking = ask()
    await pass('5m')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('2h')
    expect(seen()).toEqual(['ada 0'])
    expect((await holdpoint.interactions.list({ userId: 'carol' })).interactions).toEqual([])
  })

  test('cannot give a request for accounts to another user', async () => {
    const { clock, holdpoint, seen, pass } = routingWorld({ route })
    const context = holdpoint.session('chat', ADA).toolCall({ runId: 'r', toolCallId: 'c', toolName: 'mail' })
    void context.tryConnect?.({ integrations: ['slack'] }).catch(() => {})
    await clock.advance('2h')
    await pass('1s')
    expect(seen()).not.toContain('carol 0')
  })

  test('is removed when its user is erased', async () => {
    const { holdpoint, ask, pass, passHours, board } = routingWorld({ route })
    void ask()
    await pass('1h')
    expect(board.messages()).toHaveLength(2)
    await holdpoint.eraseUser({ userId: 'carol' })
    const rows = await engineOf(holdpoint).store.list('s//chat', 'sent')
    expect(rows.map(({ data }) => data.includes('carol'))).toEqual([false])
    const { interactions } = await holdpoint.interactions.list({ userId: 'carol' })
    expect(interactions).toEqual([])
    await passHours(24)
    expect(board.messages().find(({ userId }) => userId === 'carol')?.reminders).toBe(0)
  })
})

describe('quiet hours', () => {
  const hours = { from: '11:00', to: '20:00', timeZone: 'UTC' }

  test('delay a message until their end, for this user only', async () => {
    const { ask, seen, pass, passHours } = routingWorld({
      quietHours: ({ userId }) => (userId === 'ada' ? hours : null),
    })
    void ask({ audience: ['bob'] })
    await pass('10m')
    expect(seen()).toEqual(['bob 0'])
    await passHours(7)
    expect(seen()).toEqual(['bob 0'])
    await pass('1h')
    expect(seen()).toEqual(['bob 0', 'ada 0'])
  })

  test('that are invalid do not delay the question', async () => {
    const hoursOf = ({ userId }: { userId: string }) => (userId === 'ada' ? { ...hours, timeZone: 'Mars/Base' } : null)
    const { ask, seen, pass } = routingWorld({ quietHours: hoursOf })
    void ask({ audience: ['bob'] })
    await pass('1m')
    expect(seen().sort()).toEqual(['ada 0', 'bob 0'])
  })

  test('that fail to load are loaded again, and nothing is sent before', async () => {
    let failures = 4
    const { ask, seen, pass } = routingWorld({
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
    const { ask, seen, passHours } = routingWorld({ quietHours: () => hours, route: { remind: ['1h', '2h'] } })
    void ask()
    await passHours(9)
    expect(seen()).toEqual(['ada 0'])
  })
})

test('a plan that can never work is rejected when it is added', () => {
  expect(() => routingWorld({ route: { remind: ['soon'] } })).toThrowError(/no time/)
  expect(() => routingWorld({ route: { surfaces: ['fax'] } })).toThrowError(/"fax"/)
})

test('a route decides for each interaction, and null notifies no user', async () => {
  const { ask, seen, pass } = routingWorld({
    route: ({ request }) => ('prompt' in request && request.prompt === 'Deploy?' ? { to: ['ada'] } : null),
  })
  void ask()
  void ask({ prompt: 'Something else?' })
  await pass('1m')
  expect(seen()).toEqual(['ada 0'])
})

test('a plan continues after its process ends, and several nodes send each step once', async () => {
  const { holdpoint, node, ask, seen, pass } = routingWorld({
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
  await clock.settle()
  expect([...tokens.keys()].sort()).toEqual(['later', 'now'])
  await clock.advance('1h')
  expect(await holdpoint.links.open(tokens.get('later') ?? '')).toMatchObject({ sessionId: 'chat' })
  expect(await holdpoint.links.open(tokens.get('now') ?? '')).toBeNull()
})
