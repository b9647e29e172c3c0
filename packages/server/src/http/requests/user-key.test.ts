import { expect, test } from 'vitest'
import { userKey } from './user-key.ts'

test('each user of each tenant has a different key', () => {
  const names = ['', 'a', 'ab', '0', '1 a', ' ', '0 a', '2 ab', 'a/b', '["",""]']
  const keys = names.flatMap((tenant) => names.map((userId) => userKey({ tenant, userId })))
  expect(new Set(keys).size).toBe(names.length ** 2)
  expect(userKey({ userId: 'a' })).toBe(userKey({ tenant: '', userId: 'a' }))
})
