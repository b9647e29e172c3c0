import { describe, expect, test } from 'vitest'
import { may, permissions } from '../../src/engine/access/authorize.ts'
import type { Kernel } from '../../src/engine/kernel/kernel.ts'
import type { QuestionRow } from '../../src/engine/state/rows.ts'

/** The default rule without a rule of the host, for every action. */
describe('may', () => {
  const kernel = { settings: {} } as Kernel
  const session = { tenant: '', sessionId: 'chat', userId: 'ada', createdAt: 0 }
  const row = { request: { type: 'interaction_request', audience: ['boss'] } } as unknown as QuestionRow
  const allowed = async (userId: string, question?: QuestionRow) => {
    const can = await Promise.all(permissions().map((action) => may(kernel, { userId }, action, session, question)))
    return permissions().filter((_action, index) => can[index])
  }

  test('the owner everything, the audience of a question its answer and its time, others nothing', async () => {
    expect(await allowed('ada', row)).toEqual(permissions())
    expect(await allowed('boss', row)).toEqual(['respond', 'extend'])
    expect(await allowed('boss')).toEqual([])
    expect(await allowed('eve', row)).toEqual([])
  })
})
