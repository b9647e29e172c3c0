import { expect, test } from 'vitest'
import { isFinalAnswer, isInvalidGrant, nameOf } from './token-errors.ts'

const named = (name: string) => Object.assign(new Error('access-1'), { name })

test.each<[string, unknown, { refused?: boolean; final?: boolean; name?: string }]>([
  ['a code', { code: 'invalid_grant' }, { refused: true }],
  ['an error code of OAuth', { error: 'invalid_grant' }, { refused: true }],
  ['another code', { code: 'invalid_client', error: 'access-1' }, {}],
  ['399', { status: 399 }, { name: 'status 399' }],
  ['400', { status: 400 }, { final: true, name: 'status 400' }],
  ['499', { status: 499 }, { final: true, name: 'status 499' }],
  ['500', { status: 500 }, { name: 'status 500' }],
  ['a status that is text', { status: '404 access-1' }, {}],
  ['a time-out', named('TimeoutError'), { name: 'no answer in time' }],
  ['an abort', named('AbortError'), { name: 'no answer in time' }],
  ['any other error', named('access-1'), {}],
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['text', 'access-1', {}],
])('a refresh is rejected with %s', (_, error, { refused = false, final = false, name }) => {
  expect([isInvalidGrant(error), isFinalAnswer(error), nameOf(error)]).toEqual([
    refused,
    final,
    name ?? 'no usable answer',
  ])
})
