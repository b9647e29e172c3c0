import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { setStatus } from '../state/run-steps.ts'
import { changeRun } from './run-records.ts'

test('a run has a retention time only while clients do not see it', async () => {
  const { kernel, clock, store, partition } = bareKernel({ retention: { endedMs: 60_000 } })
  const change = (status: 'paused' | 'running') =>
    kernel.transact(partition, (tx) => changeRun(tx, 'chat', 'run-1', (run) => setStatus(run, status)))
  const listed = async () => [
    (await store.list(partition, 'run')).length,
    (await store.list(partition, 'idle')).length,
    (await store.due('run')).nextDue,
    (await store.due('idle')).nextDue,
  ]
  await change('paused')
  expect(await listed()).toEqual([1, 0, undefined, undefined])
  await change('running')
  expect(await listed()).toEqual([0, 1, undefined, clock.now() + 60_000])
})
