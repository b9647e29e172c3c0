import { describe, expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { journalId, userPartition } from '../records/keys.ts'
import type { Answered, GrantRow } from '../state/rows.ts'
import { applyGrant, grantId, grantOf, grantRefs, putGrant, revokedId, takeGrant, widest } from './grants.ts'
import { listGrants } from './list-grants.ts'

const own = userPartition('', 'ada')
const grant = (changes: Partial<GrantRow> = {}): GrantRow => ({
  ...{ userId: 'ada', tool: 'delete_files', key: '"k"', scope: 'always', grantedAt: 5 },
  ...changes,
})
const id = grantId('ada', 'delete_files', '"k"')

describe('an answer', () => {
  const yes: Answered = { answerId: 'a', digest: '', at: 7, by: { clientId: 'tab' }, action: 'approve' }
  const granted = (answer: Partial<Answered>, key: string | undefined = '"k"') =>
    grantOf(questionRow(key === '' ? {} : { grantKey: key }), { ...yes, ...answer })
  test('is remembered for as far as it says: in this session, or for good', () => {
    const row = { userId: 'ada', tool: 't', key: '"k"', grantedAt: 7, interactionId: 'q1' }
    expect(granted({ approvalScope: 'session' })).toStrictEqual({
      id: grantId('ada', 't', '"k"'),
      grant: { ...row, scope: 'session', sessionId: 's' },
    })
    expect(granted({ approvalScope: 'always' })).toStrictEqual({
      id: grantId('ada', 't', '"k"'),
      grant: { ...row, scope: 'always' },
    })
  })
  test.each([
    ['for this once', { approvalScope: 'once' }],
    ['without a scope', {}],
    ['that is a no', { approvalScope: 'always', action: 'deny' }],
    ['with arguments that the person changed', { approvalScope: 'always', args: null }],
  ] as const)('%s is not remembered', (_what, answer) => {
    expect(granted(answer)).toBeNull()
  })
  test.each([
    ['that rejects a hunk', { h1: 'accept', h2: 'reject' }, false],
    ['that leaves a hunk undecided', { h1: 'accept' }, false],
    ['that accepts all hunks', { h1: 'accept', h2: 'accept' }, true],
    ['without decisions', undefined, true],
  ] as const)('%s is remembered only if it is a yes to the whole diff [T32.2]', (_what, diffDecisions, remembered) => {
    const hunks = ['h1', 'h2'].map((id) => ({ id, oldStart: 1, newStart: 1, lines: ['+a'] }))
    const { request } = questionRow()
    const row = questionRow({ grantKey: '"k"', request: { ...request, diff: [{ path: 'a', hunks }] } as never })
    const answer = { ...yes, approvalScope: 'session' as const, ...(diffDecisions && { diffDecisions }) }
    expect(grantOf(row, answer) !== null).toBe(remembered)
  })
  test('is not remembered where the tool gave no key', () => {
    expect(granted({ approvalScope: 'always' }, '')).toBeNull()
  })
})

describe('what was granted', () => {
  const taking = async (room: ReturnType<typeof bareKernel>, question = 'q') => {
    const refs = grantRefs(room.execution(), '"k"', question)
    return await room.kernel.transact(room.partition, async (tx) => takeGrant(tx, refs, await tx.read(...refs)))
  }
  test('for this once is consumed, and a re-run of the call decides alike', async () => {
    const room = bareKernel()
    await room.put('grant', id, grant({ scope: 'once' }))
    expect(await taking(room)).toEqual({ scope: 'once' })
    expect(await room.row('grant', id)).toBeNull()
    expect(await taking(room)).toEqual({ scope: 'once' })
    expect(await taking(room, 'another question')).toBeNull()
  })
  test('for longer stays, and the widest of it counts', async () => {
    const room = bareKernel()
    await room.put('grant', id, grant({ scope: 'session' }))
    expect(await taking(room, 'first')).toEqual({ scope: 'session' })
    await room.put('grant', id, grant(), own)
    expect(await taking(room, 'second')).toEqual({ scope: 'always' })
    expect(await room.row('grant', id)).toMatchObject({ scope: 'session' })
    expect([widest(null, null), widest(grant({ scope: 'once' }), null)]).toEqual([null, 'once'])
  })
  test('where there is nothing, nothing is decided: it may be granted by the next re-run', async () => {
    const room = bareKernel()
    expect(await taking(room)).toBeNull()
    expect(await room.row('journal', journalId(room.execution().id, 'granted q'))).toBeNull()
  })
})

describe('a remembered approval for always that arrives late', () => {
  test.each([
    ['counts where nothing was revoked', undefined, true],
    ['counts where it was given after that', 4, true],
    ['does not count where it was revoked in the same moment', 5, false],
    ['does not count where it was revoked since', 6, false],
  ])('%s', async (_what, revokedAt, counts) => {
    const room = bareKernel()
    if (revokedAt !== undefined)
      await room.put('revoked', revokedId({ tool: 'delete_files', key: '"k"' }), { at: revokedAt }, own)
    await applyGrant(room.kernel, '', id, grant())
    const listed = await listGrants(room.kernel, { tenant: '', userId: 'ada' })
    expect(listed.map(({ scope }) => scope)).toEqual(counts ? ['always'] : [])
  })
})

describe('what is remembered', () => {
  const remember = async (room: ReturnType<typeof bareKernel>, partition: string, row: GrantRow) => {
    const at = grantId(row.userId, row.tool, row.key)
    await room.kernel.transact(partition, async (tx) => {
      await tx.read(['grant', at])
      putGrant(tx, '', at, row)
    })
  }
  test('is listed for a tool, and for one session with what holds in all of them', async () => {
    const room = bareKernel()
    await remember(room, own, grant())
    await remember(room, 's//one', grant({ scope: 'session', sessionId: 'one' }))
    await remember(room, 's//two', grant({ scope: 'session', sessionId: 'two', tool: 'format_disk' }))
    const list = async (filter: { tool?: string; sessionId?: string } = {}) =>
      (await listGrants(room.kernel, { tenant: '', userId: 'ada', ...filter }))
        .map(({ toolName, sessionId }) => `${toolName} ${sessionId}`)
        .sort()
    expect(await list()).toEqual(['delete_files one', 'delete_files undefined', 'format_disk two'])
    expect(await list({ tool: 'delete_files' })).toEqual(['delete_files one', 'delete_files undefined'])
    expect(await list({ sessionId: 'two' })).toEqual(['delete_files undefined', 'format_disk two'])
    const [first] = await listGrants(room.kernel, { tenant: '', userId: 'ada', tool: 'format_disk' })
    const facts = { toolName: 'format_disk', key: 'k', scope: 'session', grantedAt: new Date(5), sessionId: 'two' }
    expect(first).toStrictEqual(facts)
  })
})
