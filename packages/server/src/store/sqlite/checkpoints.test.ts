import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createCheckpoints } from './checkpoints.ts'
import { sqliteStore } from './index.ts'

const PAGE = 4_096 + 24

test('the log is checkpointed before SQLite would do so during a commit, at 1,000 pages', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-checkpoints-'))
  const path = join(folder, 'data.db')
  const store = sqliteStore({ path })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await store.open()
  for (let n = 0; n < 400; n++) {
    const put = { kind: 'k', id: `${n}`, data: JSON.stringify('x'.repeat(1_500)), tags: ['t'], due: n }
    await store.commit({ partition: `p${n % 50}`, puts: [put], events: ['{}'] })
    await nextTurn()
  }
  expect(statSync(`${path}-wal`).size / PAGE).toBeLessThan(900)
})

/** A log that grows by so many pages for each event. */
function grown(each: number) {
  let pages = 0
  const seen: number[] = []
  const checkpoints = createCheckpoints(() => {
    const log = pages
    seen.push(log)
    pages = 0
    return { log }
  })
  return {
    seen,
    async commit(events: number) {
      pages += events * each
      const before = seen.length
      checkpoints.after([{ partition: 'p', events: Array(events).fill('{}') }])
      // Only after the caller of the commit has continued.
      await Promise.resolve()
      expect(seen.length).toBe(before)
      await nextTurn()
    },
  }
}

test('many events on a page do not cause more checkpoints than needed', async () => {
  const { seen, commit } = grown(0.06)
  for (let n = 0; n < 100; n++) await commit(1_000)
  expect(seen[0]).toBeCloseTo(60)
  for (const log of seen.slice(1)) expect(log).toBeGreaterThanOrEqual(500)
  expect(seen.length).toBeLessThan(15)
})

test('rows that use many pages cause an earlier checkpoint', async () => {
  const { seen, commit } = grown(10)
  for (let n = 0; n < 1_000; n++) await commit(1)
  expect(Math.max(...seen.slice(1))).toBeLessThan(600)
})

test('a failed checkpoint is repeated after as much has been written again', async () => {
  let tries = 0
  const checkpoints = createCheckpoints(() => {
    tries++
    throw new Error('the disk is full')
  })
  for (let n = 0; n < 4; n++) {
    checkpoints.after([{ partition: 'p', events: Array(200).fill('{}') }])
    await nextTurn()
  }
  expect(tries).toBe(4)
})
