import type { Store } from '@holdpoint/server/store'
import { expect, test, vi } from 'vitest'
import { type Harness, row } from './harness.ts'

export function lifecycleTests(harness: Harness): void {
  test('a store can be opened twice', async () => {
    const store = await harness.fresh()
    await store.commit({ partition: 'p', events: ['1'] })
    await store.open()
    expect((await store.readLog('p', { from: 1, limit: 1 })).head).toBe(1)
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['load', (store) => store.load([row('p', 'k', 'a')])],
    ['list', (store) => store.list('p', 'k')],
    ['byTag', (store) => store.byTag('t')],
    ['due', (store) => store.due('k')],
    ['commit', (store) => store.commit({ partition: 'p', events: ['1'] })],
    ['readLog', (store) => store.readLog('p', { from: 1, limit: 1 })],
    ['snapshot', (store) => store.snapshot('p', ['k'])],
    ['trim', (store) => store.trim('p', 1)],
    ['rewrite', (store) => store.rewrite('p', [{ seq: 1, json: '1' }])],
    ['erase', (store) => store.erase('p')],
  ])('%s opens a store that was not opened before [R9c.1]', async (_name, call) => {
    const store = await harness.cold()
    await call(store)
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ ok: true })
  })

  test('a subscriber of a store that was not opened before is notified of commits [R9c.1]', async () => {
    const store = await harness.cold()
    const heard: string[] = []
    store.subscribe((partitions) => heard.push(...partitions))
    await store.commit({ partition: 'p', events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain('p'))
  })

  test('a store has a name and reports whether it is shared', async () => {
    const store = await harness.fresh()
    expect(store.name).toMatch(/^[a-z]+$/)
    expect(store.shared).toBe((await harness.another()) !== undefined)
  })

  test('subscribers are notified of commits, not of conflicts, and not after they unsubscribed', async () => {
    const store = await harness.fresh()
    const heard: string[] = []
    const leave = store.subscribe((partitions) => heard.push(...partitions))
    await store.commit({ partition: 'p', events: ['1'] })
    await store.commit({ partition: 'q', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(['p', 'q'])))
    await store.commit({ partition: 'refused', puts: [{ kind: 'k', id: 'a', data: '1', expect: 7 }] })
    await store.commit({ partition: 'r', deletes: [{ kind: 'k', id: 'a' }] })
    await vi.waitFor(() => expect(heard).toContain('r'))
    expect(heard).not.toContain('refused')
    leave()
    leave()
    await store.commit({ partition: 'unheard', events: ['1'] })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard).not.toContain('unheard')
  })

  test('a subscriber can read the commit that it is notified of', async () => {
    const store = await harness.fresh()
    const heads: Promise<number>[] = []
    store.subscribe((partitions) => {
      for (const partition of partitions) {
        heads.push(store.readLog(partition, { from: 1, limit: 1 }).then(({ head }) => head))
      }
    })
    await store.commit({ partition: 'p', events: ['1'] })
    await vi.waitFor(() => expect(heads.length).toBeGreaterThan(0))
    expect(await heads[0]).toBe(1)
  })

  test('the events that a subscriber receives for own commits equal the log', async () => {
    const store = await harness.fresh()
    const [heard, handed]: [string[], { epoch: string; seq: number; json: string }[]] = [[], []]
    store.subscribe((partitions, own) => {
      heard.push(...partitions)
      for (const { epoch, firstSeq, events } of own.get('p') ?? [])
        handed.push(...events.map((json, index) => ({ epoch, seq: firstSeq + index, json })))
    })
    await store.commit({ partition: 'p', events: ['{"a":1}'] })
    const several = [['{"a" : 2}', '{"ü":"\\u0041"}'], ['3']].map((events) => store.commit({ partition: 'p', events }))
    await Promise.all([...several, store.commit({ partition: 'q', events: ['4'] })])
    await vi.waitFor(() => expect(heard).toContain('q'))
    const { epoch, events } = await store.readLog('p', { from: 1, limit: 10 })
    // A driver need not pass events. The ones that it passes are the log, from its beginning and without a gap.
    expect(handed).toEqual(events.slice(0, handed.length).map((event) => ({ epoch, ...event })))
    expect(handed.length === 0 || handed.length === events.length).toBe(true)
  })

  test('a function that is subscribed twice is called twice', async () => {
    const store = await harness.fresh()
    const listener = vi.fn()
    const leave = store.subscribe(listener)
    store.subscribe(listener)
    leave()
    await store.commit({ partition: 'p', events: ['1'] })
    await vi.waitFor(() => expect(listener.mock.calls.map(([partitions]) => partitions)).toContainEqual(['p']))
  })

  test('a closed store rejects every call with store_closed, and can be closed again', async () => {
    const store = await harness.fresh()
    const heard = vi.fn()
    store.subscribe(heard)
    await store.close()
    await store.close()
    const closed = { code: 'store_closed', message: expect.stringContaining(store.name) }
    await expect(store.open()).rejects.toMatchObject(closed)
    await expect(store.load([row('p', 'k', 'a')])).rejects.toMatchObject(closed)
    await expect(store.list('p', 'k')).rejects.toMatchObject(closed)
    await expect(store.byTag('t')).rejects.toMatchObject(closed)
    await expect(store.due('k')).rejects.toMatchObject(closed)
    await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject(closed)
    await expect(store.readLog('p', { from: 1, limit: 1 })).rejects.toMatchObject(closed)
    await expect(store.snapshot('p', ['k'])).rejects.toMatchObject(closed)
    await expect(store.trim('p', 1)).rejects.toMatchObject(closed)
    await expect(store.rewrite('p', [{ seq: 1, json: '1' }])).rejects.toMatchObject(closed)
    await expect(store.erase('p')).rejects.toMatchObject(closed)
    store.subscribe(heard)()
    expect(heard).not.toHaveBeenCalled()
  })

  test('close waits for pending commits', async () => {
    const store = await harness.fresh()
    const commits = Array.from({ length: 20 }, (_, n) => store.commit({ partition: `p${n % 3}`, events: [String(n)] }))
    await store.close()
    const settled = await Promise.race([Promise.all(commits), new Promise((resolve) => setTimeout(resolve, 0, 'late'))])
    expect(settled).toHaveLength(20)
    expect(settled).toEqual(Array.from({ length: 20 }, () => expect.objectContaining({ ok: true })))
  })

  test('close during a subscription leaves no socket and no file watcher', async () => {
    const before = resources()
    const store = await harness.fresh()
    store.subscribe(() => {})
    const second = await harness.another()
    second?.subscribe(() => {})
    await store.commit({ partition: 'p', events: ['1'] })
    await store.close()
    await second?.close()
    await vi.waitFor(() => expect(resources()).toEqual(before), { timeout: 3_000 })
  })
}

/** Sockets and file watchers by kind. The runner's own change, but not in these kinds. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^TCP|^FSEvent/.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}
