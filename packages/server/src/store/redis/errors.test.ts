import { expect, test } from 'vitest'
import { redisError } from './errors.ts'

test('an error of a write states whether it may have been applied, and an error of a read does not', () => {
  const said = (words: string, during: 'read' | 'write') =>
    (redisError(new Error(words), during) as { details?: unknown }).details
  for (const words of ['OOM command not allowed', 'READONLY You are a replica', 'ERR no such command']) {
    expect(said(words, 'write')).toEqual({ applied: 'no' })
    expect(said(words, 'read')).toEqual({})
  }
  expect(said('Connection is closed.', 'write')).toEqual({ applied: 'unknown' })
  expect(said('Connection is closed.', 'read')).toEqual({})
})
