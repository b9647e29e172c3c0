import type { Holdpoint } from '@holdpoint/server'
import { describe, expect, test, vi } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { ADA, approveAs, routingWorld } from './support/routing-world.ts'

describe('routing by presence', () => {
  const route = { unseenFor: '30s' }
  const CHAT = { tenant: '', sessionId: 'chat', userId: 'ada' } as never
  const look = (holdpoint: Holdpoint, visible = true) =>
    engineOf(holdpoint).presence.touch(CHAT, { clientId: 'tab', userId: 'ada', supported: true, visible })
  const lookAtInbox = (holdpoint: Holdpoint, visible = true, user = ADA) =>
    engineOf(holdpoint).presence.inbox(user, { clientId: 'inbox', visible })

  test('notifies a user who looked at the session after no user has looked for the given time', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld({ route })
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
    const { ask, seen, pass } = routingWorld({ route })
    void ask()
    await pass('25s')
    expect(seen()).toEqual([])
    await pass('10s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('sends nothing for a question that is answered while a user looks', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld({ route })
    const asking = ask()
    await look(holdpoint)
    await pass('20s')
    await approveAs(holdpoint, 'ada', pass)
    await asking
    await pass('1h')
    expect(seen()).toEqual([])
  })

  test('a message without `unseenFor` in the plan is sent at once if no user looks, and else 30 seconds after the last look', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld()
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
    const { holdpoint, ask, seen, pass } = routingWorld({ route: { unseenFor: 0 } })
    await look(holdpoint)
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a background tab, and a stream whose page reported nothing, do not count as a look', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld()
    await look(holdpoint, false)
    await engineOf(holdpoint).presence.touch(CHAT, { clientId: 'stream', userId: 'ada' })
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('one visible tab keeps the session visible through its stream', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld()
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
    const { holdpoint, ask, seen, pass } = routingWorld()
    await look(holdpoint)
    await engineOf(holdpoint).presence.leave(CHAT, { clientId: 'tab', userId: 'ada' })
    void ask()
    await pass('2s')
    await engineOf(holdpoint).presence.touch(CHAT, { clientId: 'tab-2', userId: 'ada', visible: true })
    await pass('40s')
    expect(seen()).toEqual([])
  })

  test('a visible inbox counts as a look at the questions of all sessions, on every node, until it is hidden or silent', async () => {
    const { holdpoint, node, ask, seen, pass } = routingWorld()
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
    const { holdpoint, ask, seen, pass } = routingWorld()
    await lookAtInbox(holdpoint, true, { userId: 'eve' })
    await lookAtInbox(holdpoint, true, { userId: 'ada', tenant: 'other' } as never)
    void ask()
    await pass('1s')
    expect(seen()).toEqual(['ada 0'])
  })

  test('a user who is away is notified while another user of the step looks, and each of them once', async () => {
    const { holdpoint, ask, seen, pass } = routingWorld({ route: { remind: ['10m'] } })
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
    const { holdpoint, ask, pass, board } = routingWorld()
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
    const { holdpoint, ask, seen, pass } = routingWorld()
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
    const { holdpoint, ask, seen, pass } = routingWorld({ route: { escalate: [{ after: '1h', to: ['carol'] }] } })
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
    const { holdpoint, node, pass } = routingWorld()
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
