import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { retryUntilStored } from './retry-until-stored.ts'

const CURABLE: HoldpointErrorCode[] = [
  'store_unavailable',
  'store_busy',
  'store_full',
  'store_readonly',
  'store_pool_exhausted',
  'store_contention',
]

test.each(CURABLE)(
  'a write that fails with %s is repeated until it succeeds, and logged in the meantime',
  async (code) => {
    const { kernel, clock, logged } = bareKernel()
    let tries = 0
    const writing = retryUntilStored(kernel, async () => {
      if (++tries <= 2) throw new HoldpointError(code, 'not now')
      return 'written'
    })
    await clock.advance(99)
    expect(tries).toBe(1)
    await clock.advance(1 + 200)
    expect(await writing).toBe('written')
    expect(logged).toMatchObject([
      ['warn', expect.stringContaining('trying again'), { code }],
      ['warn', expect.stringContaining('trying again'), { code }],
    ])
  },
)

test('a repeated write waits twice as long each time, up to five seconds', async () => {
  const { kernel, clock } = bareKernel()
  const at: number[] = []
  const start = clock.now()
  const writing = retryUntilStored(kernel, async () => {
    at.push(clock.now() - start)
    if (at.length <= 8) throw new HoldpointError('store_busy', 'not now')
  })
  await clock.advance('1m')
  await writing
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
})

test.each([
  new HoldpointError('not_recordable', 'no'),
  new HoldpointError('store_closed', 'no'),
  new Error('store_busy'),
])('a write that fails with %s is not repeated', async (error) => {
  const { kernel, clock } = bareKernel()
  let tries = 0
  const writing = retryUntilStored(kernel, async () => {
    tries++
    throw error
  })
  await expect(writing).rejects.toBe(error)
  await clock.advance('1m')
  expect(tries).toBe(1)
})
