import { expect, test } from 'vitest'
import { decideRefresh, type FamilyRow, familyEnd, type RefreshDecision } from './refresh-decision.ts'

const times = { idleMs: 1_000, maxMs: 5_000, graceMs: 10 }
const row: FamilyRow = {
  userId: 'ada',
  sessionId: 's',
  createdAt: 0,
  generation: 3,
  // The third token was issued at 90, the one before it at 85.
  madeAt: [85, 90],
  seed: 'x',
}

test('a family ends after a time without use, and at its maximum age', () => {
  expect(familyEnd(row, times)).toBe(1_090)
  expect(familyEnd({ ...row, madeAt: [4_500] }, times)).toBe(5_000)
  expect(familyEnd({ ...row, createdAt: 7, madeAt: [] }, times)).toBe(1_007)
})

test.each<[string, number, number, RefreshDecision['kind'], Partial<FamilyRow>]>([
  ['the current token rotates', 3, 95, 'rotate', {}],
  ['the previous token within the grace window returns the current pair again', 2, 100, 'repeat', {}],
  ['the previous token after the grace window revokes the family', 2, 101, 'revoke', {}],
  ['an older token within the grace window of its successor returns the current pair again', 1, 95, 'repeat', {}],
  ['an older token after the grace window of its successor revokes the family', 1, 96, 'revoke', {}],
  ['a token older than all recorded ones revokes the family', 0, 91, 'revoke', {}],
  ['any token is expired after the end of its family', 3, 1_090, 'expired', {}],
  ['the current token rotates just before the end of its family', 3, 1_089, 'rotate', {}],
  ['any token is revoked after a logout', 3, 95, 'revoked', { revoked: 'logout' }],
  ['any token of a revoked family is revoked, also after its end', 3, 9_000, 'revoked', { revoked: 'reuse' }],
])('%s', (_, generation, now, kind, more) => {
  expect(decideRefresh({ ...row, ...more }, generation, now, times).kind).toBe(kind)
})

test('a new token records when the tokens before it were issued whose response may still be lost', () => {
  const rotated = decideRefresh(row, 3, 95, times)
  expect(rotated).toEqual({ kind: 'rotate', row: { ...row, generation: 4, madeAt: [85, 90, 95] } })
  const later = decideRefresh(row, 3, 96, times)
  expect(later).toEqual({ kind: 'rotate', row: { ...row, generation: 4, madeAt: [90, 96] } })
})

test('a family that ended because of reuse records it and is otherwise unchanged', () => {
  expect(decideRefresh(row, 2, 101, times)).toEqual({ kind: 'revoke', row: { ...row, revoked: 'reuse' } })
})
