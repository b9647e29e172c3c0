import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'

/** A server whose `x-user` header says who is there, and streams whose text is collected. */
function start(options: Partial<HoldpointOptions> = {}) {
  const store = memoryStore()
  const holdpoint = createHoldpoint({
    store,
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? 'ada' }),
    ...options,
  })
  onTestFinished(() => holdpoint.close())
  const call = (path: string, userId = 'ada') =>
    holdpoint.fetch(new Request(`http://localhost${path}`, { headers: { 'x-user': userId } }))
  async function open(sessionId: string, userId = 'ada') {
    const response = await call(`/sessions/${sessionId}/events?client=tab-${userId}`, userId)
    const stream = { status: response.status, text: '', ended: false, close: () => void reader?.cancel() }
    const reader = response.body?.getReader()
    void (async () => {
      const decoder = new TextDecoder()
      for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
        stream.text += decoder.decode(chunk.value)
      stream.ended = true
    })()
    onTestFinished(() => stream.close())
    return stream
  }
  const emit = (sessionId: string, userId: string, text: string) =>
    holdpoint.session(sessionId, { userId }).emit({ type: 'content', text })
  return { store, holdpoint, call, open, emit, load: () => appOf(holdpoint).load }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const soon = { timeout: 2_000, interval: 5 }

describe('a stream of a session that does not exist yet', () => {
  test('carries the first event within 500 ms', async () => {
    const { open, emit } = start()
    const stream = await open('s1')
    expect(stream.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = performance.now()
    await emit('s1', 'ada', 'first')
    await vi.waitFor(() => expect(stream.text).toContain('first'), soon)
    expect(performance.now() - before).toBeLessThan(500)
    await emit('s1', 'ada', 'second')
    await vi.waitFor(() => expect(stream.text).toContain('second'), soon)
    expect(stream.text.match(/^id: /gm)).toHaveLength(2)
  })

  test.each([0, 20, 200])(
    'carries a question within 500 ms that is committed while the stream looks for its session, %i ms after it opened',
    async (afterMs) => {
      const store = memoryStore()
      const slow = {
        ...store,
        load: (...args: Parameters<typeof store.load>) =>
          store.load(...args).then((found) => later(60).then(() => found)),
      }
      const { open } = start({ store: slow as typeof store })
      const stream = await open('s1')
      await later(afterMs)
      const writer = createHoldpoint({ store, authenticate: () => null, name: 'writer' })
      onTestFinished(() => writer.close())
      const before = performance.now()
      await writer.session('s1', { userId: 'ada' }).emit({ type: 'content', text: 'first' })
      await vi.waitFor(() => expect(stream.text).toContain('first'), soon)
      expect(performance.now() - before).toBeLessThan(500)
    },
  )

  test('continues when session.open() has created it, and messages are accepted from then on', async () => {
    const { holdpoint, open, call, emit } = start()
    const stream = await open('s1')
    await holdpoint.session('s1', { userId: 'ada' }).open()
    await holdpoint.session('s1', { userId: 'ada' }).open()
    await expect(holdpoint.session('s1', { userId: 'eve' }).open()).rejects.toMatchObject({
      code: 'session_owner_mismatch',
    })
    const snapshot = await (await call('/sessions/s1')).json()
    expect(snapshot).toMatchObject({ interactions: [], you: { userId: 'ada' } })
    await emit('s1', 'ada', 'first')
    await vi.waitFor(() => expect(stream.text).toContain('first'), soon)
  })

  test('notices the session although the store announced nothing', async () => {
    const store = memoryStore()
    const { open, emit } = start({ store: { ...store, subscribe: () => () => {} }, http: { pollMs: 50 } })
    const stream = await open('s1')
    await emit('s1', 'ada', 'first')
    await vi.waitFor(() => expect(stream.text).toContain('first'), soon)
  })

  test('counts against the stream limit of its user until it closes', async () => {
    const { open, emit, load } = start({ http: { streamsPerUser: 2 } })
    const [one, two] = [await open('a'), await open('b')]
    expect((await open('c')).status).toBe(429)
    expect((await open('c', 'bob')).status).toBe(200)
    one.close()
    await vi.waitFor(async () => expect((await open('d')).status).toBe(200), soon)
    await emit('b', 'ada', 'first')
    await vi.waitFor(() => expect(two.text).toContain('first'), soon)
    expect((await open('e')).status).toBe(429)
    expect(load()).toMatchObject({ streams: 1, waiting: 2 })
  })

  test('ends when the login is revoked, and when the server closes', async () => {
    const { holdpoint, open, load } = start()
    const [ada, bob] = [await open('s1'), await open('s1', 'bob')]
    holdpoint.revoke({ userId: 'ada' })
    await vi.waitFor(() => expect([ada.ended, bob.ended]).toEqual([true, false]), soon)
    await holdpoint.close()
    await vi.waitFor(() => expect(bob.ended).toBe(true), soon)
    expect(load().waiting).toBe(0)
  })
})

describe('[HP-SEC-12] a stranger’s stream of another user’s session [T1.3]', () => {
  test('gets nothing, also after the session is erased and created again by its owner, raced 50 times', async () => {
    const { holdpoint, open, emit } = start()
    const strangers = await Promise.all(Array.from({ length: 50 }, (_, i) => open(`s${i}`, 'eve')))
    await Promise.all(
      strangers.map(async (_, i) => {
        await emit(`s${i}`, 'ada', 'secret one')
        await holdpoint.eraseSession({ sessionId: `s${i}` })
        await emit(`s${i}`, 'ada', 'secret two')
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const { text } of strangers) expect(text).not.toMatch(/secret|^id: /m)
  })

  test('costs the store a few reads, however much happens in the session', async () => {
    const store = memoryStore()
    let reads = 0
    const counted = { ...store, load: (...args: Parameters<typeof store.load>) => ++reads && store.load(...args) }
    const { open, emit } = start({ store: counted as typeof store })
    await emit('s1', 'ada', 'one')
    const stranger = await open('s1', 'eve')
    await new Promise((resolve) => setTimeout(resolve, 20))
    // An emitted event reads its session's row once.
    reads = 0
    for (let i = 0; i < 200; i++) await emit('s1', 'ada', `n${i}`)
    expect(reads - 200).toBeLessThanOrEqual(3)
    expect(stranger.text).not.toContain('id: ')
  })

  test('shows the user’s own session if the session is erased and created by this user', async () => {
    const { holdpoint, open, emit } = start()
    await emit('s1', 'ada', 'secret of Ada')
    const stream = await open('s1', 'eve')
    await holdpoint.eraseSession({ sessionId: 's1' })
    await emit('s1', 'eve', 'of Eve')
    await vi.waitFor(() => expect(stream.text).toContain('of Eve'), { timeout: 8_000, interval: 20 })
    expect(stream.text).not.toContain('secret')
  })
})
