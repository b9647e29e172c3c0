import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { refused } from '../../broker/http/refusals.ts'
import { failed as remoteFailed } from '../../remote/shared/respond.ts'
import { failed } from '../failed.ts'

type Seen = [status: number, body: unknown, headers: Record<string, string>, logged: number]

const error = (code: string, details: Record<string, unknown> = {}) =>
  new HoldpointError(code as HoldpointErrorCode, `Message of ${code}.`, { details })

function byProtocol(thrown: unknown): Seen {
  let logged = 0
  const clock = { id: () => 'log-1' } as Clock
  const { status, body, headers } = failed(thrown, clock, { ...silent, error: () => logged++ })
  return [status, JSON.parse(body), headers, logged]
}

function byConnections(thrown: unknown, path = '/connections'): Seen {
  let logged = 0
  const { status, body, headers } = refused(thrown, path, () => logged++)
  return [status, JSON.parse(body), headers, logged]
}

async function byRemote(thrown: unknown): Promise<Seen> {
  let logged = 0
  const response = remoteFailed(thrown, { ...silent, error: () => logged++ })
  return [response.status, await response.json(), Object.fromEntries(response.headers), logged]
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const json = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': 'application/json' }
const own = { ...json, 'cross-origin-resource-policy': 'same-origin' }
const foreign = { ...json, 'referrer-policy': 'no-referrer' }

describe('error responses of the protocol', () => {
  test('contain the status, code, message and details of a protocol error', () => {
    expect(byProtocol(error('not_found', { path: 'a' }))).toEqual([
      404,
      { error: { code: 'not_found', message: 'Message of not_found.', path: 'a' } },
      own,
      0,
    ])
  })

  test('`allow` names the methods of the path, and `retry-after` counts whole seconds', () => {
    expect(byProtocol(error('method_not_allowed', { allow: 'GET, POST' }))).toEqual([
      405,
      { error: { code: 'method_not_allowed', message: 'Message of method_not_allowed.', allow: 'GET, POST' } },
      { ...own, allow: 'GET, POST' },
      0,
    ])
    expect(byProtocol(error('rate_limited', { retryAfterMs: 1_200 }))).toEqual([
      429,
      { error: { code: 'rate_limited', message: 'Message of rate_limited.', retryAfterMs: 1_200 } },
      { ...own, 'retry-after': '2' },
      0,
    ])
  })

  test.each([
    ['store_unavailable', 'The store cannot be reached right now; nothing was lost. Log id log-1.'],
    ['store_closed', 'The store cannot be reached right now; nothing was lost. Log id log-1.'],
    ['row_newer', 'Another server must answer this one; try again. Log id log-1.'],
  ])('%s is answered with 503 and a log id, without its own message', (code, message) => {
    expect(byProtocol(error(code, { secret: 's' }))).toEqual([
      503,
      { error: { code: 'store_unavailable', message, retryAfterMs: 2_000, logId: 'log-1' } },
      { ...own, 'retry-after': '2' },
      1,
    ])
  })

  test.each([
    ['an error of the host', new TypeError('password=1')],
    ['an error with a status of its own', error('webhook_busy', { httpStatus: 409 })],
    ['a code of the log', error('internal')],
    ['a thrown text', 'text'],
  ])('%s is answered with 500 and a log id', (_name, thrown) => {
    const message = 'Something failed on the server. Its log has the reason under log-1.'
    expect(byProtocol(thrown)).toEqual([500, { error: { code: 'internal', message, logId: 'log-1' } }, own, 1])
  })
})

describe('error responses of the account broker', () => {
  test('have the status of the error, in a flat body', () => {
    expect(byConnections(error('NOT_FOUND', { httpStatus: 404, session_reset_required: true }))).toEqual([
      404,
      { error: 'NOT_FOUND', code: 'NOT_FOUND', message: 'Message of NOT_FOUND.', session_reset_required: true },
      own,
      0,
    ])
    expect(byConnections(error('RATE_LIMITED', { httpStatus: 429 }))[2]).toEqual({ ...own, 'retry-after': '5' })
  })

  test.each([
    ['token_expired', 401],
    ['refresh_token_invalid', 401],
    ['too_large', 413],
    ['confirmation_used', 409],
    ['oauth_failed', 502],
  ])('of %s have status %d, a code in capitals and no details', (code, status) => {
    const name = code.toUpperCase()
    expect(byConnections(error(code, { secret: 's' }))).toEqual([
      status,
      { error: name, code: name, message: `Message of ${code}.` },
      own,
      0,
    ])
  })

  test('have status 503 for an error of the store and 500 for any other one, and both are logged', () => {
    const message = 'The server cannot reach its store right now. Try again in a moment.'
    expect(byConnections(error('store_unavailable'))).toEqual([
      503,
      { error: 'UNAVAILABLE', code: 'UNAVAILABLE', message },
      { ...own, 'retry-after': '5' },
      1,
    ])
    const internal = 'Something failed on the server; its log has the reason.'
    for (const thrown of [error('row_newer'), error('not_found'), new TypeError('password=1'), 'text']) {
      expect(byConnections(thrown)).toEqual([500, { error: 'INTERNAL', code: 'INTERNAL', message: internal }, own, 1])
    }
  })

  test('for the prompt endpoint contain `status: error` and no details', () => {
    const thrown = error('BAD', { httpStatus: 400, session_reset_required: true })
    expect(byConnections(thrown, '/connections/crm/ask')).toEqual([
      400,
      { status: 'error', error: 'BAD', code: 'BAD', message: 'Message of BAD.' },
      own,
      0,
    ])
  })
})

describe('error responses of a remote agent', () => {
  test.each([
    ['a status of its own', error('run_gone' as never, { httpStatus: 410, path: 'a' }), 410, { path: 'a' }],
    ['a known code', error('session_owner_mismatch', { path: 'a' }), 404, { path: 'a' }],
    ['a store that cannot be reached', error('store_unavailable'), 503, {}],
    ['a status of its own and a known code', error('too_large', { httpStatus: 400 }), 400, {}],
  ])('%s is answered with its status, code, message and details', async (_name, thrown, status, facts) => {
    const { code, message } = thrown
    expect(await byRemote(thrown)).toEqual([status, { error: { code, message, ...facts } }, foreign, 0])
  })

  test.each([
    ['another error of the store', error('store_closed')],
    ['a status that is no number', error('too_large', { httpStatus: '400' })],
    ['a newer row', error('row_newer')],
    ['an error of the host', new TypeError('password=1')],
    ['a thrown text', 'text'],
  ])('%s is answered with 500 and logged', async (_name, thrown) => {
    const message = 'Something failed on the server.'
    expect(await byRemote(thrown)).toEqual([500, { error: { code: 'internal', message } }, foreign, 1])
  })
})
