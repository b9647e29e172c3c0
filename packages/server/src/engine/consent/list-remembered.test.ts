import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { sessionPartition, userPartition } from '../records/keys.ts'
import { listRemembered, revokeRemembered, revokeRememberedKey } from './list-remembered.ts'
import { applyRemembered, putRemembered, rememberedId, revokedId } from './remembered.ts'

const who = { tenant: '', userId: 'ada' }
const own = userPartition('', 'ada')
const id = rememberedId('ada', 'tool', '"k"')

function remembering() {
  const room = bareKernel()
  const revoke = (sessionId?: string) =>
    revokeRememberedKey(room.kernel, {
      ...who,
      tool: 'tool',
      key: '"k"',
      ...(sessionId !== undefined && { sessionId }),
    })
  return {
    ...room,
    revoke,
    async remember(sessionId?: string, key = '"k"') {
      const partition = sessionId === undefined ? own : sessionPartition('', sessionId)
      const at = rememberedId('ada', 'tool', key)
      const scope = sessionId === undefined ? ('always' as const) : ('session' as const)
      await room.kernel.transact(partition, async (tx) => {
        await tx.read(['remembered', at])
        putRemembered(tx, '', at, {
          ...{ userId: 'ada', tool: 'tool', key, scope, approvedAt: 1 },
          ...(sessionId !== undefined && { sessionId }),
        })
      })
    },
    left: async () =>
      (await listRemembered(room.kernel, who)).map(({ key, sessionId }) => `${key} ${sessionId}`).sort(),
  }
}

describe('revoking an approval', () => {
  test('removes a key for always and in every session, and keeps other keys', async () => {
    const { remember, revoke, left } = remembering()
    await remember()
    await remember('one')
    await remember('two')
    await remember('one', '"other"')
    expect(await revoke()).toBe(3)
    expect(await left()).toEqual(['other one'])
    expect(await revoke()).toBe(0)
  })
  test('of one session keeps it in other sessions, and removes it for always', async () => {
    const { remember, revoke, left } = remembering()
    for (const session of [undefined, 'one', 'two']) await remember(session)
    expect(await revoke('one')).toBe(2)
    expect(await left()).toEqual(['k two'])
  })
  test('is stored for the user, so that an approval in the outbox does not take effect later', async () => {
    const { clock, remember, revoke, row, partition } = remembering()
    await remember('chat')
    await revoke()
    const mark = revokedId({ tool: 'tool', key: '"k"' })
    expect(await row('revoked', mark, own)).toEqual({ at: clock.now() })
    expect(await row('revoked', mark, partition)).toBeNull()
  })
  test.each([
    ['everything', {}],
    ['a tool', { tool: 'tool' }],
    ['a key', { key: '"k"' }],
    ['a key of a tool', { tool: 'tool', key: '"k"' }],
  ])(
    'of %s covers an approval for always that was answered before and is still in the outbox [T32.4]',
    async (_what, scope) => {
      const { clock, kernel, left } = remembering()
      const remembered = {
        ...{ userId: 'ada', tool: 'tool', key: '"k"' },
        scope: 'always' as const,
        approvedAt: clock.now(),
      }
      expect(await revokeRemembered(kernel, { ...who, ...scope })).toBe(0)
      await applyRemembered(kernel, '', id, remembered)
      expect(await left()).toEqual([])
      await clock.environment.advance(1)
      await applyRemembered(kernel, '', id, { ...remembered, approvedAt: clock.now() })
      expect(await left()).toEqual(['k undefined'])
      expect(await revokeRemembered(kernel, { ...who, ...scope })).toBe(1)
    },
  )
  test('of one tool or key keeps an approval for always of another', async () => {
    const { clock, kernel, left } = remembering()
    const remembered = {
      ...{ userId: 'ada', tool: 'tool', key: '"k"' },
      scope: 'always' as const,
      approvedAt: clock.now(),
    }
    await revokeRemembered(kernel, { ...who, tool: 'other' })
    await revokeRemembered(kernel, { ...who, key: '"other"' })
    await revokeRemembered(kernel, { ...who, tool: 'tool', key: '"other"' })
    await revokeRemembered(kernel, { ...who, userId: 'bob' })
    await applyRemembered(kernel, '', id, remembered)
    expect(await left()).toEqual(['k undefined'])
  })
  test('covers more than one page of sessions', async () => {
    const { remember, revoke, left } = remembering()
    for (let n = 0; n < 205; n++) await remember(`session-${n}`)
    expect(await left()).toHaveLength(205)
    expect(await revoke()).toBe(205)
    expect(await left()).toEqual([])
  })
})
