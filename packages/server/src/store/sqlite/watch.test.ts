import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqliteStore } from '../sqlite.ts'
import type { SqliteReader } from './reader.ts'
import { createWatch } from './watch.ts'

const NEVER = 3_600_000

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-watch-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A file of which the test says what was committed to it. */
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

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('another process is heard when it writes, long before anybody would look by the clock', async () => {
  const path = join(folder(), 'data.db')
  const [one, two] = [sqliteStore({ path, pollMs: NEVER }), sqliteStore({ path })]
  onTestFinished(async () => {
    await one.close()
    await two.close()
  })
  await one.open()
  await two.open()
  const heard: string[] = []
  one.subscribe((partitions) => heard.push(...partitions))
  for (const partition of ['a', 'b', 'c']) {
    await two.commit({ partition, events: ['1'] })
    await vi.waitFor(() => expect(heard).toContain(partition), { timeout: 10_000 })
  }
})

test('what is written is visible only when it is flushed: it is looked for until then', async () => {
  const { path, heard, watch, looks, write, commit } = watched(NEVER)
  watch(path).start()
  await sleep(50)
  expect(looks()).toBe(1)
  write()
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(2), { timeout: 10_000 })
  expect(heard).toEqual([])
  // However long that one took, the next write begins anew.
  commit()
  write()
  await vi.waitFor(() => expect(heard).toEqual([['p']]), { timeout: 10_000 })
  await sleep(100)
  const before = looks()
  await sleep(100)
  expect(looks()).toBe(before)
})

test('where the system tells nothing of writes, the clock does', async () => {
  const { path, heard, watch, commit } = watched(5)
  watch(join(path, 'nowhere')).start()
  commit()
  await vi.waitFor(() => expect(heard).toEqual([['p']]), { timeout: 10_000 })
})

test('nobody looks once it is stopped', async () => {
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
