import { expect, test } from 'vitest'
import { sqliteError } from './errors.ts'

const said = (errcode: number) => Object.assign(new Error('no such thing'), { errcode })

test('an error of SQLite without a code of ours is passed on with its text and the file', () => {
  expect(sqliteError(said(12), 'data.db', 'read')).toMatchObject({
    code: 'store_unavailable',
    message: 'SQLite failed on data.db: no such thing.',
    details: { path: 'data.db' },
  })
})

test('an error that is not from SQLite is unchanged', () => {
  for (const error of [new Error('a bug'), said(0), 'a word'])
    expect(sqliteError(error, 'data.db', 'write')).toBe(error)
})
