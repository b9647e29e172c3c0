import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { journalId, userPartition } from '../records/keys.ts'
import type { Answered, RememberedRow } from '../state/rows.ts'
import { listRemembered } from './list-remembered.ts'
import {
  applyRemembered,
  putRemembered,
  rememberedId,
  rememberedOf,
  rememberedRefs,
  revokedId,
  takeRemembered,
  widest,
} from './remembered.ts'

const own = userPartition('', 'ada')
const remembered = (changes: Partial<RememberedRow> = {}): RememberedRow => ({
  ...{ userId: 'ada', tool: 'delete_files', key: '"k"', scope: 'always', approvedAt: 5 },
  ...changes,
})
const id = rememberedId('ada', 'delete_files', '"k"')

describe('an answer', () => {
  const yes: Answered = { answerId: 'a', digest: '', at: 7, by: { clientId: 'tab' }, action: 'approve' }
  const remembered = (answer: Partial<Answered>, key: string | undefined = '"k"') =>
    rememberedOf(questionRow(key === '' ? {} : { rememberedKey: key }), { ...yes, ...answer })
  test('is remembered for its scope: in this session or always', () => {
    const row = { userId: 'ada', tool: 't', key: '"k"', approvedAt: 7, interactionId: 'q1' }
    expect(remembered({ approvalScope: 'session' })).toStrictEqual({
      id: rememberedId('ada', 't', '"k"'),
      remembered: { ...row, scope: 'session', sessionId: 's' },
    })
    expect(remembered({ approvalScope: 'always' })).toStrictEqual({
      id: rememberedId('ada', 't', '"k"'),
      remembered: { ...row, scope: 'always' },
    })
  })
  test.each([
    ['for this once', { approvalScope: 'once' }],
    ['without a scope', {}],
    ['that denies', { approvalScope: 'always', action: 'deny' }],
    ['with arguments that the person changed', { approvalScope: 'always', args: null }],
  ] as const)('%s is not remembered', (_what, answer) => {
    expect(remembered(answer)).toBeNull()
  })
  test.each([
    ['that rejects a hunk', { h1: 'accept', h2: 'reject' }, false],
    ['that leaves a hunk undecided', { h1: 'accept' }, false],
    ['that accepts all hunks', { h1: 'accept', h2: 'accept' }, true],
    ['without decisions', undefined, true],
  ] as const)('%s is remembered only if it approves the whole diff [T32.2]', (_what, diffDecisions, remembered) => {
    const hunks = ['h1', 'h2'].map((id) => ({ id, oldStart: 1, newStart: 1, lines: ['+a'] }))
    const { request } = questionRow()
    const row = questionRow({ rememberedKey: '"k"', request: { ...request, diff: [{ path: 'a', hunks }] } as never })
    const answer = { ...yes, approvalScope: 'session' as const, ...(diffDecisions && { diffDecisions }) }
    expect(rememberedOf(row, answer) !== null).toBe(remembered)
  })
  test('is not remembered if the tool set no key', () => {
    expect(remembered({ approvalScope: 'always' }, '')).toBeNull()
  })
})

describe('a remembered approval', () => {
  const taking = async (room: ReturnType<typeof bareKernel>, question = 'q') => {
    const refs = rememberedRefs(room.execution(), '"k"', question)
    return await room.kernel.transact(room.partition, async (tx) => takeRemembered(tx, refs, await tx.read(...refs)))
  }
  test('for once is consumed, and a repeated call decides the same', async () => {
    const room = bareKernel()
    await room.put('remembered', id, remembered({ scope: 'once' }))
    expect(await taking(room)).toEqual({ scope: 'once' })
    expect(await room.row('remembered', id)).toBeNull()
    expect(await taking(room)).toEqual({ scope: 'once' })
    expect(await taking(room, 'another question')).toBeNull()
  })
  test('for longer is not consumed, and the widest scope counts', async () => {
    const room = bareKernel()
    await room.put('remembered', id, remembered({ scope: 'session' }))
    expect(await taking(room, 'first')).toEqual({ scope: 'session' })
    await room.put('remembered', id, remembered(), own)
    expect(await taking(room, 'second')).toEqual({ scope: 'always' })
    expect(await room.row('remembered', id)).toMatchObject({ scope: 'session' })
    expect([widest(null, null), widest(remembered({ scope: 'once' }), null)]).toEqual([null, 'once'])
  })
  test('that is absent is not journaled, so that one given before the next execution counts', async () => {
    const room = bareKernel()
    expect(await taking(room)).toBeNull()
    expect(await room.row('journal', journalId(room.execution().id, 'remembered q'))).toBeNull()
  })
})

describe('a remembered approval for always that is stored late', () => {
  test.each([
    ['counts if nothing was revoked', undefined, true],
    ['counts if it was given after the revocation', 4, true],
    ['does not count if it was revoked at the same time', 5, false],
    ['does not count if it was revoked later', 6, false],
  ])('%s', async (_what, revokedAt, counts) => {
    const room = bareKernel()
    if (revokedAt !== undefined)
      await room.put('revoked', revokedId({ tool: 'delete_files', key: '"k"' }), { at: revokedAt }, own)
    await applyRemembered(room.kernel, '', id, remembered())
    const listed = await listRemembered(room.kernel, { tenant: '', userId: 'ada' })
    expect(listed.map(({ scope }) => scope)).toEqual(counts ? ['always'] : [])
  })
})

describe('the list of remembered approvals', () => {
  const remember = async (room: ReturnType<typeof bareKernel>, partition: string, row: RememberedRow) => {
    const at = rememberedId(row.userId, row.tool, row.key)
    await room.kernel.transact(partition, async (tx) => {
      await tx.read(['remembered', at])
      putRemembered(tx, '', at, row)
    })
  }
  test('can be filtered by tool, or by session together with approvals for always', async () => {
    const room = bareKernel()
    await remember(room, own, remembered())
    await remember(room, 's//one', remembered({ scope: 'session', sessionId: 'one' }))
    await remember(room, 's//two', remembered({ scope: 'session', sessionId: 'two', tool: 'format_disk' }))
    const list = async (filter: { tool?: string; sessionId?: string } = {}) =>
      (await listRemembered(room.kernel, { tenant: '', userId: 'ada', ...filter }))
        .map(({ toolName, sessionId }) => `${toolName} ${sessionId}`)
        .sort()
    expect(await list()).toEqual(['delete_files one', 'delete_files undefined', 'format_disk two'])
    expect(await list({ tool: 'delete_files' })).toEqual(['delete_files one', 'delete_files undefined'])
    expect(await list({ sessionId: 'two' })).toEqual(['delete_files undefined', 'format_disk two'])
    const [first] = await listRemembered(room.kernel, { tenant: '', userId: 'ada', tool: 'format_disk' })
    const facts = { toolName: 'format_disk', key: 'k', scope: 'session', approvedAt: new Date(5), sessionId: 'two' }
    expect(first).toStrictEqual(facts)
  })
})
