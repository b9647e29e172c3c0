import { describe, expect, test } from 'vitest'
import { hunksOf } from '../../src/tools/hunks.ts'
import { effectiveMode, type ModeFacts, type ModeRules, strictest, type ToolMode } from '../../src/tools/modes.ts'

interface Request {
  method: string
}
const rules: ModeRules<Request> = {
  mode: 'confirm_after_execution',
  modeFrom: ({ method }) => (method === 'HEAD' ? 'auto' : undefined),
  choices: {
    ask: 'confirm_before_execution',
    reads: ({ method }) => (method === 'GET' ? 'auto' : 'confirm_before_execution'),
    all: 'auto',
    undecided: () => undefined,
  },
}

describe('the effective mode', () => {
  const cases: [what: string, method: string, facts: Partial<ModeFacts>, mode: ToolMode][] = [
    ['the default', 'GET', {}, 'confirm_after_execution'],
    ['the mode that is computed from the input, before the choice of the user', 'HEAD', { choice: 'ask' }, 'auto'],
    ['the choice of the user', 'POST', { choice: 'all' }, 'auto'],
    ['the choice of the user, for this input', 'GET', { choice: 'reads' }, 'auto'],
    ['the choice of the user, for another input', 'POST', { choice: 'reads' }, 'confirm_before_execution'],
    ['a choice without a mode for this input', 'POST', { choice: 'undecided' }, 'confirm_after_execution'],
    ['a choice that the tool no longer has', 'POST', { choice: 'gone' }, 'confirm_after_execution'],
    ['a choice with the name of an object property', 'POST', { choice: 'constructor' }, 'confirm_after_execution'],
    [
      'a request for secrets, despite the choice of the user',
      'POST',
      { choice: 'all', asksSecrets: true },
      'confirm_before_execution',
    ],
    ['a request for secrets, despite the computed mode', 'HEAD', { asksSecrets: true }, 'confirm_before_execution'],
  ]
  test.each(cases)('follows from %s', async (_what, method, facts, mode) => {
    expect(await effectiveMode(rules, { method }, { choice: null, asksSecrets: false, ...facts })).toBe(mode)
  })

  test('is confirm_before_execution for a tool without any rule', async () => {
    expect(await effectiveMode({}, {}, { choice: null, asksSecrets: false })).toBe('confirm_before_execution')
  })

  test('is rejected with unknown_mode if it is not a mode', async () => {
    const wrong = { mode: 'automatic' as ToolMode }
    await expect(effectiveMode(wrong, {}, { choice: null, asksSecrets: false })).rejects.toMatchObject({
      code: 'unknown_mode',
    })
  })

  test('is the stricter one of two, in either order', () => {
    const modes: ToolMode[] = ['auto', 'confirm_after_execution', 'confirm_before_execution']
    for (const [a, first] of modes.entries()) {
      for (const [b, second] of modes.entries()) expect(strictest(first, second)).toBe(modes[Math.max(a, b)])
    }
  })
})

describe('the hunks of a diff', () => {
  const hunk = (id: string) => ({ id, oldStart: 1, newStart: 1, lines: ['+x'] })
  const diff = [
    { path: 'a', hunks: [hunk('1'), hunk('2')] },
    { path: 'b', hunks: [hunk('3')] },
  ]
  test('are all accepted by an approval without decisions', () => {
    expect(hunksOf(diff, undefined)).toEqual({ accepted: ['1', '2', '3'], rejected: [] })
    expect(hunksOf(diff, {})).toEqual({ accepted: ['1', '2', '3'], rejected: [] })
  })
  test('are rejected if other hunks were decided, and decisions about unknown hunks are ignored', () => {
    expect(hunksOf(diff, { '1': 'accept', '3': 'reject', '9': 'accept' })).toEqual({
      accepted: ['1'],
      rejected: ['2', '3'],
    })
    expect(hunksOf(diff, { constructor: 'accept' } as Record<string, 'accept'>)).toEqual({
      accepted: [],
      rejected: ['1', '2', '3'],
    })
  })
})
