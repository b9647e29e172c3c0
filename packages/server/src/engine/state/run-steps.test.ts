import { expect, test } from 'vitest'
import type { RunRow } from './rows.ts'
import { isCancelled, isShown, newRun, setStatus, stopWaitingFor, waitFor } from './run-steps.ts'

const run = (status: RunRow['status'], waiting: RunRow['waiting'] = {}): RunRow => ({ runId: 'r', status, waiting })

test.each(['completed', 'cancelled', 'error'] as const)(
  'setting the status %s clears what a run waits for',
  (status) => {
    expect(setStatus(run('awaiting_input', { q: 'input' }), status)).toStrictEqual(run(status))
  },
)

test.each(['running', 'paused'] as const)('setting the status %s keeps what a run waits for', (status) => {
  expect(setStatus(run('awaiting_input', { q: 'input' }), status)).toStrictEqual(run(status, { q: 'input' }))
})

test('the reason of a status is replaced or removed by the next status', () => {
  const why = setStatus(newRun('r'), 'error', 'no memory')
  expect(why).toStrictEqual({ ...run('error'), reason: 'no memory' })
  expect(setStatus(why, 'running')).toStrictEqual(run('running'))
})

test('a cancelled run does not change its status', () => {
  const cancelled = setStatus(newRun('r'), 'cancelled', 'enough')
  expect(setStatus(cancelled, 'running', 'again')).toBe(cancelled)
  expect([isCancelled(cancelled), isCancelled(run('completed')), isCancelled(null)]).toEqual([true, false, false])
})

test('an ended run continues only with a new question, and the end of another question does not change it', () => {
  expect(stopWaitingFor(run('completed', { q: 'input' }), 'q')).toStrictEqual(run('completed'))
  expect(waitFor(run('completed'), 'q', 'approval')).toStrictEqual(run('awaiting_approval', { q: 'approval' }))
})

test('a run that the host paused stays paused after its last question, and one that waited continues', () => {
  expect(stopWaitingFor(run('paused', { q: 'input' }), 'q').status).toBe('paused')
  expect(stopWaitingFor(run('awaiting_input', { q: 'input' }), 'q').status).toBe('running')
  expect(stopWaitingFor(run('awaiting_input', { q: 'input' }), 'another').status).toBe('awaiting_input')
})

test.each([
  ['running', {}, false],
  ['completed', {}, false],
  ['cancelled', {}, false],
  ['paused', {}, true],
  ['awaiting_input', { q: 'input' }, true],
] as const)('a run that is %s and waits for %j is shown in a snapshot: %s', (status, waiting, shown) => {
  expect(isShown(run(status, waiting))).toBe(shown)
})
