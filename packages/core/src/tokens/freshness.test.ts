import { expect, test } from 'vitest'
import { versionAfter } from './freshness.ts'

test('a version counts on from the one before; what is no count begins anew', () => {
  expect(versionAfter('7.other', 'mine')).toBe('8.mine')
  const beyond = `${Number.MAX_SAFE_INTEGER + 2}.other`
  for (const none of [null, undefined, '', 'other', '-4.other', beyond])
    expect(versionAfter(none, 'mine')).toBe('1.mine')
})
