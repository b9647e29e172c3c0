import { HoldpointError } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../engine/environment.ts'
import type { Commit, CommitResult, Store } from '../store/port.ts'
import { changeRow } from './change-row.ts'

const REF = { partition: 'p', kind: 'k', id: 'i' }

/** A row that is written when `commit` says so; pauses take no time. */
function world(commit: (nth: number) => CommitResult | Error) {
  const commits: Commit[] = []
  const store: Pick<Store, 'load' | 'commit'> = {
    load: async () => ({ now: 0, rows: [null] }),
    async commit(one) {
      const said = commit(commits.push(one))
      if (said instanceof Error) throw said
      return said
    },
  }
  const environment = { ...systemEnvironment(), setTimeout: (done: () => void) => queueMicrotask(done) }
  const deps = { store: store as Store, environment }
  return { commits, change: () => changeRow<number, string>(deps, REF, () => ({ put: 1, result: 'done' })) }
}

const WRITTEN = { ok: true } as CommitResult
const OVERTAKEN = { ok: false } as CommitResult
const AWAY = new HoldpointError('store_unavailable', 'away')

test('who is overtaken two hundred times still gets through; once more is called by its name', async () => {
  const lucky = world((nth) => (nth <= 200 ? OVERTAKEN : WRITTEN))
  await expect(lucky.change()).resolves.toBe('done')
  const never = world(() => OVERTAKEN)
  await expect(never.change()).rejects.toMatchObject({ code: 'store_contention' })
  expect([lucky.commits.length, never.commits.length]).toEqual([201, 201])
})

test('a store that is away four times is tried a fifth time; then its error is what the caller gets', async () => {
  const back = world((nth) => (nth <= 4 ? AWAY : WRITTEN))
  await expect(back.change()).resolves.toBe('done')
  const gone = world(() => AWAY)
  await expect(gone.change()).rejects.toBe(AWAY)
  expect([back.commits.length, gone.commits.length]).toEqual([5, 5])
})

test('an error that does not pass is not tried again', async () => {
  const full = new HoldpointError('store_full', 'full')
  const { commits, change } = world(() => full)
  await expect(change()).rejects.toBe(full)
  expect(commits).toHaveLength(1)
})
