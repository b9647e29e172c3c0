import { expect, test } from 'vitest'
import { issuesByField } from './field-errors.ts'

test('field errors are listed by field in order, and errors of the whole form are joined to one message', () => {
  const issues = [
    { path: ['to', 0, 'name'], message: 'Too short.' },
    { path: [], message: 'From must lie before to.' },
    { path: ['to'], message: 'Unknown.' },
    { path: [0], message: 'First.' },
    { path: [], message: 'And twice so.' },
  ]
  expect(issuesByField(issues)).toStrictEqual({
    error: 'From must lie before to. And twice so.',
    fieldErrors: { to: ['Too short.', 'Unknown.'], 0: ['First.'] },
  })
})

test('there is no message if no error concerns the whole form', () => {
  expect(issuesByField([{ path: ['a'], message: 'No.' }])).toStrictEqual({ fieldErrors: { a: ['No.'] } })
  expect(issuesByField([])).toStrictEqual({ fieldErrors: {} })
})
