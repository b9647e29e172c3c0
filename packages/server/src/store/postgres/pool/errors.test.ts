import { HoldpointError } from '@holdpoint/core'
import { describe, expect, test } from 'vitest'
import { isCut, isRefusal, isRetryable, isSeparable, type Phase, postgresError, sqlState } from './errors.ts'

/** As `pg` reports what the server said. */
const said = (code: string) => Object.assign(new Error(`said ${code}`), { code, severity: 'ERROR' })
/** An error as a socket reports it. */
const socket = (code: string) => Object.assign(new Error(`connect ${code}`), { code })
const named = (error: unknown, phase: Phase) => postgresError(error, phase) as HoldpointError

describe('the field `applied` of an error', () => {
  const cut = new Error('Connection terminated unexpectedly')

  test('is `unknown` only if the commit was sent and the server did not reject it', () => {
    expect(named(cut, 'committing').details).toMatchObject({ applied: 'unknown', separable: false })
    expect(named(cut, 'committing').message).toContain('load the rows again')
    expect(named(cut, 'before').details).toMatchObject({ applied: 'no' })
    expect(named(cut, 'before').message).toContain('Nothing was written')
    expect(named(said('40001'), 'committing').details).toMatchObject({ applied: 'no', state: '40001' })
    expect(named(said('57P01'), 'committing').details).toMatchObject({ applied: 'unknown', state: '57P01' })
  })
  test('is absent for a read', () => {
    expect(named(cut, 'reading').details).not.toHaveProperty('applied')
    expect(named(said('57014'), 'reading').details).not.toHaveProperty('applied')
    expect(named(cut, 'reading').details).not.toHaveProperty('state')
  })
})

test.each([
  ['53100', 'store_full', true],
  ['25006', 'store_readonly', false],
  ['25P02', 'store_readonly', false],
  ['57014', 'store_busy', true],
  ['55P03', 'store_busy', true],
  ['40001', 'store_busy', false],
  ['53300', 'store_pool_exhausted', false],
  ['42P01', 'store_unavailable', false],
  ['42501', 'store_unavailable', false],
  ['28P01', 'store_unavailable', false],
  ['XX001', 'store_corrupt', false],
  ['22021', 'store_invalid', true],
  ['54000', 'store_invalid', true],
])('SQLSTATE %s is %s; tried alone: %s', (state, code, separable) => {
  const error = named(said(state), 'before')
  expect(error).toMatchObject({ code, cause: { code: state }, details: { state, separable } })
  expect(isSeparable(error)).toBe(separable)
})

test('a group of commits is not split if it may have been written', () => {
  // A socket that calls itself by a SQLSTATE is no server that refused.
  expect(named(said('57P01'), 'committing').details.separable).toBe(false)
  expect(isSeparable(said('22021'))).toBe(false)
  expect(isSeparable(new HoldpointError('internal', 'Other.'))).toBe(false)
})

test('an unknown rejection of the server is named with its SQLSTATE and message', () => {
  const error = named(said('0A000'), 'before')
  expect(error).toMatchObject({ code: 'store_unavailable' })
  expect(error.message).toContain('refused a statement of the store (0A000: said 0A000)')
})

test('an error of a socket or of `pg` becomes store_unavailable, and any other error is unchanged', () => {
  for (const error of [socket('ECONNREFUSED'), new Error('timeout expired'), new Error('Client was closed')]) {
    expect(named(error, 'before')).toMatchObject({ code: 'store_unavailable', details: { applied: 'no' } })
    expect(named(error, 'before').message).toContain(`PostgreSQL is not available (${error.message})`)
  }
  const bug = new TypeError('undefined is not a function')
  expect(postgresError(bug, 'before')).toBe(bug)
  expect(postgresError('a text', 'before')).toBe('a text')
  const known = new HoldpointError('store_closed', 'Closed.')
  expect(postgresError(known, 'committing')).toBe(known)
})

test('only an error of the server has a SQLSTATE', () => {
  expect(sqlState(said('40001'))).toBe('40001')
  expect(sqlState(socket('EPIPE'))).toBeUndefined()
  expect(sqlState({ code: '40001', severity: 'ERROR' })).toBeUndefined()
  expect(sqlState(Object.assign(new Error('odd'), { severity: 'ERROR' }))).toBeUndefined()
  for (const code of [40001, 'ECONNRESET', '4000']) {
    expect(sqlState(Object.assign(new Error('odd'), { code, severity: 'ERROR' }))).toBeUndefined()
  }
})

test('an error is classified as a lost connection, a rejected statement or a conflict', () => {
  const verdicts = (error: unknown) => [isCut(error), isRefusal(error), isRetryable(error)]
  expect(verdicts(said('57P01'))).toEqual([true, false, false])
  expect(verdicts(said('08006'))).toEqual([true, false, false])
  expect(verdicts(new Error('Connection terminated'))).toEqual([true, false, false])
  expect(verdicts(new Error('Client has encountered an error and is not queryable'))).toEqual([true, false, false])
  expect(verdicts(socket('ECONNRESET'))).toEqual([true, false, false])
  expect(verdicts(socket('ECONNREFUSED'))).toEqual([false, false, false])
  expect(verdicts({ message: 'Connection terminated' })).toEqual([false, false, false])
  for (const state of ['53300', '25P03', 'XX000']) expect(verdicts(said(state))).toEqual([false, false, false])
  expect(verdicts(said('23505'))).toEqual([false, true, false])
  for (const state of ['40001', '40P01']) expect(verdicts(said(state))).toEqual([false, true, true])
})
