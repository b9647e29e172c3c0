import { describe, expect, test } from 'vitest'
import { assertIds, assertTenant } from './assert-ids.ts'

const refused = (message: RegExp, name: string) =>
  expect.objectContaining({ code: 'invalid_id', message: expect.stringMatching(message), details: { name } })

describe('an id', () => {
  test('is a non-empty string', () => {
    expect(() => assertIds('A call', { runId: 'r', toolCallId: '0' })).not.toThrow()
  })
  test.each([
    ['', /A call: runId must be a non-empty string, got an empty string/],
    [undefined, /got undefined/],
    [7, /got number/],
    [null, /got object/],
    ['a\0b', /runId must have at most 256 characters, and no control characters or lone surrogates/],
    ['a\ud800', /lone surrogates/],
    ['a\nb', /control characters/],
    ['x'.repeat(257), /at most 256 characters/],
  ])('that is %j is rejected by its name', (runId, message) => {
    expect(() => assertIds('A call', { toolCallId: 'c', runId })).toThrow(refused(message, 'runId'))
  })
})

describe('a tenant', () => {
  test.each([{}, { tenant: 'acme' }, { tenant: '' }, { tenant: 'acme', tenantId: 'acme' }])('can be %j', (who) => {
    expect(() => assertTenant('A session', who)).not.toThrow()
  })
  test.each([
    [{ tenantId: 'acme' }, /A session has a tenantId,/],
    [{ tenant: null }, /has a tenant that is null,/],
    [{ tenant: 7 }, /has a tenant that is a number,/],
    [{ tenant: 'acme\0' }, /A session: tenant must have/],
  ])('cannot be %j, and the error names the mistake', (who, message) => {
    expect(() => assertTenant('A session', who)).toThrow(refused(message, 'tenant'))
  })
})
