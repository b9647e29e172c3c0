import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqliteStore } from './index.ts'
import type { SqliteReader } from './reader.ts'
import { createWatch } from './watch.ts'

const NEVER = 3_600_000

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-watch-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A file whose commits a test defines. */
function watched(pollMs: number) {
  const path = join(folder(), 'data.db')
  writeFileSync(`${path}-wal`, '')
  const heard: string[][] = []
  let version = 1
  let looks = 0
  const reader = {
    dataVersion: () => {
      looks++
      return version
    },
    lastChange: () => 0,
    changedSince: () => ({ partitions: ['p'], change: version }),
  } as unknown as SqliteReader
  const watch = (at: string) => {
    const made = createWatch(reader, { path: at, pollMs }, (partitions) => heard.push(partitions))
    onTestFinished(() => made.stop())
    return made
  }
  return {
    path,
    heard,
    watch,
    looks: () => looks,
    write: () => appendFileSync(`${path}-wal`, 'frame'),
    commit: () => void version++,
  }
}

/** Two processes' stores on one file. */
async function twoStores(first: { pollMs?: number } = {}) {
  const path = join(folder(), 'data.db')
  const stores = [sqliteStore({ path, ...first }), sqliteStore({ path })] as const
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  for (const store of stores) await store.open()
  return stores
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('a write of another process is seen long before the next poll', async () => {
  const [one, two] = await twoStores({ pollMs: NEVER })
  const heard: string[] = []
  one.subscribe((partitions) => heard.push(...partitions))
  for (const partition of ['a', 'b', 'c']) {
    await two.commit({ partition, events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain(partition), { timeout: 10_000 })
  }
  // A deleted row is a change too.
  await two.commit({ partition: 'a', puts: [{ kind: 'k', id: 'x', data: '1' }] })
  await vi.waitFor(() => expect(heard.filter((one) => one === 'a')).toHaveLength(2), { timeout: 10_000 })
  await two.commit({ partition: 'a', deletes: [{ kind: 'k', id: 'x' }] })
  await vi.waitFor(() => expect(heard.filter((one) => one === 'a')).toHaveLength(3), { timeout: 10_000 })
})

test('a write is visible only after its flush, so the watch checks until then', async () => {
  const { path, heard, watch, looks, write, commit } = watched(NEVER)
  watch(path).start()
  await sleep(50)
  expect(looks()).toBe(1)
  write()
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(2), { timeout: 10_000 })
  expect(heard).toEqual([])
  // Regardless of the duration of that read, the next write starts again.
  commit()
  write()
  await vi.waitFor(() => expect(heard).toEqual([['p']]), { timeout: 10_000 })
  await sleep(100)
  const before = looks()
  await sleep(100)
  expect(looks()).toBe(before)
})

test("a notification of this process's own write does not cause repeated checks", async () => {
  const { path, watch, looks, write, commit, heard } = watched(NEVER)
  const started = watch(path)
  started.start()
  await sleep(50)
  write()
  started.own(1)
  await vi.waitFor(() => expect(looks()).toBe(2), { timeout: 10_000 })
  await sleep(100)
  expect(looks()).toBe(2)
  expect(heard).toEqual([])
  // That was our own write; the next one is another process's.
  write()
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(4), { timeout: 10_000 })
  commit()
  write()
  await vi.waitFor(() => expect(heard).toEqual([['p']]), { timeout: 10_000 })
})

test('a write of another process close to ours is seen, even with one notification for both', async () => {
  const { path, watch, write, commit, heard } = watched(NEVER)
  const started = watch(path)
  started.start()
  await sleep(50)
  // Theirs was change 1, ours is 2.
  commit()
  write()
  started.own(2)
  expect(heard).toEqual([['p']])
  await sleep(100)
  // Ours is 3, and theirs is visible only after it was announced.
  started.own(3)
  write()
  await sleep(0)
  commit()
  await vi.waitFor(() => expect(heard).toEqual([['p'], ['p']]), { timeout: 10_000 })
})

test('without notifications from the system the timer finds changes', async () => {
  const { path, heard, watch, commit } = watched(5)
  watch(join(path, 'nowhere')).start()
  commit()
  await vi.waitFor(() => expect(heard).toEqual([['p']]), { timeout: 10_000 })
})

test('after a stop nothing is checked', async () => {
  const { path, watch, looks, write } = watched(5)
  const stopped = watch(path)
  stopped.start()
  write()
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(2), { timeout: 10_000 })
  stopped.stop()
  const before = looks()
  write()
  await sleep(100)
  expect(looks()).toBe(before)
})

test("a commit of this process is reported once, and not again together with another one's", async () => {
  const [one, two] = await twoStores()
  const heard: string[] = []
  one.subscribe((partitions) => heard.push(...partitions))
  await one.commit({ partition: 'mine', events: ['1'] })
  await vi.waitFor(() => expect(heard).toEqual(['mine']), { timeout: 10_000 })
  await two.commit({ partition: 'theirs', events: ['1'] })
  await vi.waitFor(() => expect(heard).toContain('theirs'), { timeout: 10_000 })
  expect(heard).toEqual(['mine', 'theirs'])
})

test('a commit of checks alone is not reported to other processes', async () => {
  const [one, two] = await twoStores()
  await one.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
  const heard: string[] = []
  two.subscribe((partitions) => heard.push(...partitions))
  await one.commit({ partition: 'p', checks: [{ kind: 'k', id: 'a', version: 1 }] })
  await one.commit({ partition: 'q', events: ['1'] })
  await vi.waitFor(() => expect(heard).toContain('q'), { timeout: 10_000 })
  expect(heard).toEqual(['q'])
})
