import { seeded } from '@holdpoint/conformance/seeded'
import { describe, expect, test, vi } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { startTabs, type Tab } from './tab.ts'

const soon = { timeout: 15_000, interval: 5 }
vi.setConfig({ testTimeout: 120_000 })
const status = ({ client }: Tab) => client.getSnapshot().connection.status

describe('tabs of one origin', () => {
  test('of several sessions read over one stream', async () => {
    const { open, emit, load, holdpoint } = startTabs()
    const sessions = Array.from({ length: 5 }, (_, n) => `s${n}`)
    for (const session of sessions) await emit(session, 'before')
    const tabs = [...sessions, ...sessions].map((session) => open(session))
    await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => ['before'])), soon)
    await vi.waitFor(() => expect(load()).toMatchObject({ sessions: 5, streams: 5 }), soon)
    for (const session of sessions) await emit(session, 'after')
    await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => ['before', 'after'])), soon)
    expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
    expect(appOf(holdpoint).load.streams).toBe(5)
  })

  test('[HP-SHR-7] start from their own cursor, although the other tabs are far ahead', async () => {
    const { open, emit } = startTabs()
    await emit('s1', '0')
    const first = open('s1')
    await vi.waitFor(() => expect(status(first)).toBe('open'), soon)
    const late: Tab[] = []
    for (let n = 1; n < 40; n++) {
      await emit('s1', `${n}`)
      if (n % 4 === 0) late.push(open('s1'))
    }
    const all = Array.from({ length: 40 }, (_, n) => `${n}`)
    await vi.waitFor(
      () => expect([first, ...late].map(({ seen }) => seen)).toEqual([first, ...late].map(() => all)),
      soon,
    )
    expect([first, ...late].flatMap(({ problems }) => problems)).toEqual([])
  })

  test('[HP-SHR-7] receive nothing from a stream that was opened for another user before the cookie changed', async () => {
    let user = 'ada'
    let pass = () => {}
    const held = new Promise<void>((resolve) => {
      pass = resolve
    })
    const { open, emit, holdpoint, streams } = startTabs({
      async authenticate(request) {
        if (user === 'eve' && request.url.endsWith('/sessions/events')) await held
        return { userId: user }
      },
    })
    await holdpoint.session('s1', { userId: 'ada' }).open()
    const ada = open('s1')
    await vi.waitFor(() => expect(status(ada)).toBe('open'), soon)
    user = 'eve'
    const eve = open('s1')
    await vi.waitFor(() => expect(streams()).toHaveLength(2), soon)
    await emit('s1', 'one')
    await vi.waitFor(() => expect(ada.seen).toEqual(['one']), soon)
    pass()
    await vi.waitFor(() => expect(status(eve)).toBe('open'), soon)
    await emit('s1', 'two')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([ada.seen, eve.seen]).toEqual([['one'], []])
  })

  test('[HP-SHR-6] with other headers or another user do not share', async () => {
    const { open, emit, origin } = startTabs()
    await emit('adas', 'for ada')
    await emit('eves', 'for eve', 'eve')
    const ada = open('adas', { headers: { 'x-user': 'ada' } })
    const eve = open('eves', { headers: { 'x-user': 'eve' } })
    const curious = open('adas', { headers: { 'x-user': 'eve' } })
    await vi.waitFor(() => expect([ada.seen, eve.seen]).toEqual([['for ada'], ['for eve']]), soon)
    expect(curious.seen).toEqual([])
    expect(origin.groups()).toHaveLength(2)
    for (const name of origin.groups()) expect(name).not.toContain('ada')
    await emit('adas', 'more')
    await vi.waitFor(() => expect(ada.seen).toEqual(['for ada', 'more']), soon)
    expect(curious.seen).toEqual([])
  })

  test('[HP-SHR-6] stop sharing when the credentials of the leader change, and the other tabs continue', async () => {
    const { open, emit, origin } = startTabs()
    await emit('adas', 'one')
    let user = 'ada'
    const leader = open('adas', { headers: () => ({ 'x-user': user }) })
    await vi.waitFor(() => expect(leader.seen).toEqual(['one']), soon)
    const other = open('adas', { headers: { 'x-user': 'ada' } })
    await vi.waitFor(() => expect(other.seen).toEqual(['one']), soon)
    user = 'eve'
    const third = open('adas', { headers: { 'x-user': 'ada' } })
    await vi.waitFor(() => expect(third.seen).toEqual(['one']), soon)
    await emit('adas', 'two')
    await vi.waitFor(
      () =>
        expect([other.seen, third.seen]).toEqual([
          ['one', 'two'],
          ['one', 'two'],
        ]),
      soon,
    )
    await vi.waitFor(() => expect(origin.groups()).toHaveLength(2), soon)
    await emit('adas', 'three')
    await vi.waitFor(() => expect(other.seen).toEqual(['one', 'two', 'three']), soon)
    expect(leader.seen).not.toContain('three')
  })

  test('with different headers share if `share` names the same user', async () => {
    const { open, emit, origin } = startTabs()
    await emit('s1', 'one')
    const tabs = ['token-1', 'token-2'].map((token) =>
      open('s1', { headers: { authorization: `Bearer ${token}` }, share: 'ada' }),
    )
    await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual([['one'], ['one']]), soon)
    expect(origin.groups()).toHaveLength(1)
  })

  test('read over streams of their own with `share: false`', async () => {
    const { open, emit, streams } = startTabs()
    await emit('s1', 'one')
    const tabs = [open('s1', { share: false }), open('s1', { share: false })]
    await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual([['one'], ['one']]), soon)
    expect(streams()).toEqual(Array(2).fill('/holdpoint/sessions/s1/events'))
  })

  test('read over streams of their own if the server does not know shared streams', async () => {
    const { open, emit, origin, streams } = startTabs({ http: { sessionsPerStream: 0 } })
    await emit('s1', 'one')
    const tabs = [open('s1'), open('s1')]
    await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual([['one'], ['one']]), soon)
    expect(streams().filter((path) => path.endsWith('/s1/events'))).toHaveLength(2)
    await vi.waitFor(() => expect(origin.groups()).toEqual([]), soon)
    expect(origin.channels.size).toBe(0)
  })

  test('are refused together when the user signs out, and no tab continues to read', async () => {
    let user: string | null = 'ada'
    const { open, emit, holdpoint, load } = startTabs({ authenticate: () => (user ? { userId: user } : null) })
    await emit('s1', 'one')
    const tabs = [open('s1'), open('s1'), open('s2')]
    await vi.waitFor(() => expect(tabs.map(status)).toEqual(['open', 'open', 'open']), soon)
    user = null
    await holdpoint.revoke({ userId: 'ada' })
    await vi.waitFor(() => expect(tabs.map(status)).toEqual(Array(3).fill('unauthorized')), soon)
    expect(load()).toMatchObject({ streams: 0, waiting: 0 })
    user = 'eve'
    for (const { client } of tabs) client.reconnect()
    await vi.waitFor(() => expect(tabs.map(status)).toEqual(['open', 'open', 'open']), soon)
    await emit('s1', 'not for eve')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(tabs.map(({ seen }) => seen)).toEqual([['one'], ['one'], []])
  })
})

describe('a leader', () => {
  test.each(['leave', 'crash', 'freeze'] as const)(
    'that does %s is followed by another tab, without a gap or a duplicate',
    async (how) => {
      const { open, emit, origin } = startTabs()
      await emit('s1', '0')
      const tabs = Array.from({ length: 4 }, () => open('s1'))
      await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => ['0'])), soon)
      const leader = tabs.find(({ page }) => page === origin.leader())!
      leader.page[how]()
      for (let n = 1; n < 10; n++) await emit('s1', `${n}`)
      const others = tabs.filter((tab) => tab !== leader)
      const all = Array.from({ length: 10 }, (_, n) => `${n}`)
      await vi.waitFor(() => expect(others.map(({ seen }) => seen)).toEqual(others.map(() => all)), soon)
      if (how !== 'freeze') return
      leader.page.thaw()
      await emit('s1', '10')
      await vi.waitFor(() => expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => [...all, '10'])), soon)
    },
  )

  test.each([1, 2, 3])(
    'changes 50 times while events arrive, and no tab has a gap or a duplicate (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const pick = (most: number) => Math.floor(random() * most)
      const { open, emit, origin, tabs } = startTabs()
      const sessions = ['s0', 's1', 's2']
      const counts = new Map(sessions.map((session) => [session, 0]))
      const gone = new Set<Tab>()
      let flowing = true
      const flow = (async () => {
        while (flowing) {
          const session = sessions[pick(3)]!
          const count = counts.get(session)!
          counts.set(session, count + 1)
          await emit(session, `${count}`)
          await new Promise((resolve) => setTimeout(resolve, pick(6)))
        }
      })()
      for (let n = 0; n < 6; n++) open(sessions[n % 3]!)
      for (let change = 0; change < 50; change++) {
        await vi.waitFor(() => expect(origin.leader()).toBeDefined(), soon)
        const page = origin.leader()!
        const tab = tabs.find((one) => one.page === page)!
        const how = pick(10)
        if (how < 3) page.crash()
        else if (how < 6) page.leave()
        else if (how < 9) tab.client.close()
        else {
          page.freeze()
          setTimeout(() => page.thaw(), 1_500)
        }
        if (how < 9) {
          gone.add(tab)
          open(sessions[pick(3)]!)
        }
        await vi.waitFor(() => expect(origin.leader()).not.toBe(page), soon)
        await new Promise((resolve) => setTimeout(resolve, pick(60)))
      }
      flowing = false
      await flow
      const living = tabs.filter((tab) => !gone.has(tab))
      const all = (session: string) => Array.from({ length: counts.get(session)! }, (_, n) => `${n}`)
      await vi.waitFor(
        () => expect(living.map(({ seen }) => seen.length)).toEqual(living.map(({ session }) => counts.get(session))),
        soon,
      )
      for (const { seen, session } of living) expect(seen).toEqual(all(session))
      for (const { seen, session } of gone) expect(seen).toEqual(all(session).slice(0, seen.length))
      expect(tabs.flatMap(({ problems }) => problems)).toEqual([])
    },
  )
})
