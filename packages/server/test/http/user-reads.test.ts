import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'

/** Sessions of the user who floods. A page reads the settled questions of each. */
const SESSIONS = 400

describe('reads of one user', () => {
  test('thirty pages of history at once read the store as one page does; nine are answered, the rest get 429 [T30.6]', async () => {
    const { store, counts } = distantStore()
    const { get, holdpoint } = await flooded(store)
    await get('eve', '/inbox?state=settled')
    const alone = counts.most
    const all = await Promise.all(Array.from({ length: 30 }, () => get('eve', '/inbox?state=settled')))
    expect([alone, counts.most]).toEqual([16, 16])
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), ...Array(21).fill(429)])
    const refused = all.find(({ status }) => status === 429)
    expect(refused?.body.error).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_000 })
    expect(refused?.headers.get('retry-after')).toBe('1')
    // Later reads are answered again, and nothing is kept of them.
    expect((await get('eve', '/inbox?state=settled')).status).toBe(200)
    expect(appOf(holdpoint).load.readers).toBe(0)
  })

  test.each([
    ['/inbox?state=settled', 1],
    ['/inbox', 8],
    ['/sessions/s1', 8],
  ])(
    "a user's flood of GET %s is answered at most %i times before another user's request, on a store that never waits [T30.7]",
    async (path, most) => {
      const { get } = await flooded()
      const answered: string[] = []
      const send = async (user: string, from: string) => {
        if ((await get(user, from)).status === 200) answered.push(user)
      }
      const flood = Array.from({ length: 30 }, () => send('eve', path))
      // The other request arrives in a later turn of the event loop, as requests of a network do.
      await new Promise((resolve) => setImmediate(resolve))
      await send('bob', '/inbox')
      expect(answered.indexOf('bob')).toBeLessThanOrEqual(most)
      await Promise.all(flood)
    },
  )

  test('snapshots, open inboxes and remembered approvals of one user share four slots, and each is answered [T30.8]', async () => {
    const held = heldReads()
    const { get } = await flooded(held.store, { http: { readsPerUser: 4 } })
    held.hold()
    const paths = ['/inbox', '/sessions/s1', '/approvals']
    const all = Array.from({ length: 40 }, (_, n) => get('eve', paths[n % 3] ?? ''))
    await expect.poll(() => held.holding()).toBe(4)
    // Another user has slots of their own.
    const bob = get('bob', '/inbox')
    await expect.poll(() => held.holding()).toBe(5)
    held.release()
    expect((await bob).status).toBe(200)
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('reads that wait for a slot', () => {
  test('a read whose client leaves before its turn reads nothing, and frees its place', async () => {
    const held = heldReads()
    const { get, holdpoint } = await flooded(held.store, { http: { readsPerUser: 1 } })
    held.hold()
    const first = get('eve', '/inbox')
    await expect.poll(() => held.holding()).toBe(1)
    const leaving = new AbortController()
    const left = Array.from({ length: 10 }, () => get('eve', '/inbox', leaving.signal))
    const last = get('eve', '/approvals')
    await new Promise((resolve) => setTimeout(resolve, 20))
    leaving.abort()
    await Promise.all(left)
    held.count()
    held.release()
    expect([(await first).status, (await last).status]).toEqual([200, 200])
    expect(held.counted()).toBe(1)
    expect(appOf(holdpoint).load.readers).toBe(0)
  })

  test.each([
    ['reads: as many as the burst of the rate limit', '/inbox', { readsPerUser: 1 }, 3],
    ['pages of the history: eight for each slot', '/inbox?state=settled', { historyPagesPerUser: 2 }, 16],
  ])('the number that waits follows the options (%s)', async (_, path, slots, waiting) => {
    const { store, stuck } = stuckReads()
    const burst = path === '/inbox' ? 3 : 200
    const { get } = await flooded(store, { http: { ...slots, rateLimit: { burst, perSecond: 1_000 } } })
    stuck(true)
    const answers: { status: number; body: { error?: { message: string } } }[] = []
    // Slower than the rate limit, which gives requests back meanwhile.
    for (let n = 0; n < waiting + 6; n++) {
      void get('eve', path).then((answer) => answers.push(answer))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const running = path === '/inbox' ? 1 : 2
    await expect.poll(() => answers.length).toBe(6 - running)
    expect(answers.every(({ body }) => body.error?.message.startsWith('Too many reads at once'))).toBe(true)
    stuck(false)
  })
})

/** A server where eve has many sessions. */
async function flooded(store: Store = memoryStore(), options: HoldpointOptions = {}) {
  const holdpoint = createHoldpoint({
    store,
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? '' }),
    ...options,
  })
  onTestFinished(() => holdpoint.close())
  for (let n = 0; n < SESSIONS; n++) await holdpoint.session(`s${n}`, { userId: 'eve' }).open()
  const get = async (user: string, path: string, signal: AbortSignal | null = null) => {
    const request = new Request(`https://app.example/holdpoint${path}`, { headers: { 'x-user': user }, signal })
    const response = await holdpoint.fetch(request)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { holdpoint, get }
}

/** A store that answers in a later turn of the event loop, as one behind a network, and counts listings at the same time. */
function distantStore() {
  const store = memoryStore()
  const counts = { now: 0, most: 0 }
  const list: Store['list'] = async (...args) => {
    counts.most = Math.max(counts.most, ++counts.now)
    await new Promise((resolve) => setImmediate(resolve))
    counts.now--
    return await store.list(...args)
  }
  return { store: { ...store, list } satisfies Store, counts }
}

/** A store whose reads of inboxes and snapshots can be held. */
function heldReads() {
  const store = memoryStore()
  let holding = 0
  let counted: number | undefined
  let released: Promise<void> | undefined
  let release = () => {}
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (counted !== undefined) counted++
    if (!released) return await work()
    holding++
    await released
    return await work()
  }
  return {
    store: {
      ...store,
      byTag: (...args) => through(() => store.byTag(...args)),
      snapshot: (...args) => through(() => store.snapshot(...args)),
    } satisfies Store,
    hold() {
      released = new Promise((resolve) => {
        release = resolve
      })
    },
    release() {
      released = undefined
      release()
    },
    holding: () => holding,
    /** Counts the reads from now on. */
    count() {
      counted = 0
    },
    counted: () => counted,
  }
}

/** A store whose lists and pages can be made to wait. */
function stuckReads() {
  const store = memoryStore()
  let free = Promise.resolve()
  let release = () => {}
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await free
    return await work()
  }
  return {
    store: {
      ...store,
      byTag: (...args) => after(() => store.byTag(...args)),
      list: (...args) => after(() => store.list(...args)),
    } satisfies Store,
    stuck(isStuck: boolean) {
      if (!isStuck) return release()
      free = new Promise((resolve) => {
        release = resolve
      })
    },
  }
}
