import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'
import { SESSION_ROW } from '../../src/engine/records/keys.ts'
import { settle } from './support/fake-clock.ts'
import { readTexts } from './support/requests.ts'

/** A server whose questions for the session's row are counted, and whose announcements can be lost. */
async function counted(options: HoldpointOptions = {}) {
  const store = memoryStore()
  const asked = { rows: 0 }
  const announced = { lost: false }
  const holdpoint = createHoldpoint({
    ...options,
    store: {
      ...store,
      load: (refs) => {
        if (refs.some(({ id }) => id === SESSION_ROW)) asked.rows++
        return store.load(refs)
      },
      subscribe: (listener) => store.subscribe((...heard) => void (announced.lost || listener(...heard))),
    },
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? '' }),
  })
  onTestFinished(() => holdpoint.close())
  const call = (path: string, userId = 'ada', headers: Record<string, string> = {}) =>
    holdpoint.fetch(new Request(`http://localhost/sessions/s1${path}`, { headers: { 'x-user': userId, ...headers } }))
  const emit = (text: string, userId = 'ada') => holdpoint.session('s1', { userId }).emit({ type: 'content', text })
  await emit('one')
  /** Streams that stay open. */
  const openStreams = async (count: number) => {
    for (let n = 0; n < count; n++) {
      expect((await call('/events')).status).toBe(200)
      await settle()
    }
  }
  return { holdpoint, asked, announced, call, emit, openStreams }
}

test('fifty streams that reconnect to one session read its row twice', async () => {
  const { asked, call, openStreams } = await counted()
  asked.rows = 0
  await openStreams(50)
  expect(await readTexts(await call('/events'), 1)).toEqual(['one'])
  expect(asked.rows).toBe(2)
})

test('a session whose owner is cached is readable only by the owner, and authorize is called for each request', async () => {
  const rules: string[] = []
  const { call } = await counted({
    security: {
      authorize: ({ principal, owner }) => {
        rules.push(`${principal.userId} of ${owner}`)
        return principal.userId === owner
      },
    },
  })
  for (const userId of ['ada', 'ada', 'ada', 'eve', 'ada']) {
    const response = await call('/events?wait=0', userId, { accept: 'application/json' })
    expect((await response.json()).events).toHaveLength(userId === 'eve' ? 0 : 1)
    await settle()
  }
  expect(rules).toEqual(['ada of ada', 'ada of ada', 'ada of ada', 'eve of ada', 'eve of ada', 'ada of ada'])
})

test('a session that was erased and created again by another user belongs to that user at once', async () => {
  const { holdpoint, call, emit, openStreams } = await counted()
  await openStreams(3)
  await holdpoint.eraseSession({ sessionId: 's1' })
  await emit('of Bob', 'bob')
  await settle()
  const old = await call('/events?wait=0', 'ada', { accept: 'application/json' })
  expect(await old.json()).toEqual({ cursor: '0.0.0', events: [] })
  expect(await readTexts(await call('/events', 'bob'), 1)).toEqual(['of Bob'])
})

test('a session that was recreated by another user sends nothing to its first owner, also without a notification', async () => {
  const { holdpoint, announced, call, emit, openStreams } = await counted()
  await openStreams(3)
  announced.lost = true
  await holdpoint.eraseSession({ sessionId: 's1' })
  await emit('of Bob', 'bob')
  expect(await (await call('')).json()).toMatchObject({ cursor: '0.0.0', interactions: [] })
  // This process had read it already when it was Ada's. The next read of the log ends her streams.
  expect(await readTexts(await call('/events'), 1)).toEqual(['one'])
})
