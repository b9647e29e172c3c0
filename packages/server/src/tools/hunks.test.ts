import { expect, test } from 'vitest'
import { hunksOf } from './hunks.ts'

const hunk = (id: string) => ({ id, oldStart: 1, newStart: 1, lines: [] })
const diff = [
  { path: 'a.ts', hunks: [hunk('h1'), hunk('h2')] },
  { path: 'old.bin', status: 'deleted' as const, hunks: [] },
]

test('a file without hunks is accepted or rejected under its path', () => {
  expect(hunksOf(diff, undefined)).toEqual({ accepted: ['h1', 'h2', 'old.bin'], rejected: [] })
  expect(hunksOf(diff, { h1: 'accept', h2: 'accept', 'old.bin': 'reject' })).toEqual({
    accepted: ['h1', 'h2'],
    rejected: ['old.bin'],
  })
})

test('if some changes were decided, an undecided one is omitted', () => {
  expect(hunksOf(diff, { h1: 'accept' })).toEqual({ accepted: ['h1'], rejected: ['h2', 'old.bin'] })
})
