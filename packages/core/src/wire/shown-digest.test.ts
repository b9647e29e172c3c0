import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../json/canonical.ts'
import { sha256 } from '../json/sha256.ts'
import { shownDigest } from './shown-digest.ts'

const native = (bytes: Uint8Array | string) => createHash('sha256').update(bytes)

test('the SHA-256 of any bytes equals that of the platform', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(native(bytes).digest('hex'))
    }),
  )
  for (let length = 0; length < 200; length++) {
    const bytes = new Uint8Array(length).fill(0xab)
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(native(bytes).digest('hex'))
  }
  const large = new Uint8Array(1_000_003).fill(7)
  expect(Buffer.from(sha256(large)).toString('hex')).toBe(native(large).digest('hex'))
})

test('the digest of a question is base64url of SHA-256 over its canonical JSON, for any order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const request = { type: 'interaction_request', args: value } as never
      const turned = { args: Object.fromEntries(Object.entries(value).reverse()), type: 'interaction_request' } as never
      expect(shownDigest(request)).toBe(native(canonicalJson(request)).digest('base64url'))
      expect(shownDigest(turned)).toBe(shownDigest(request))
    }),
  )
})

test('canonical JSON sorts keys by code unit, and writes numbers as ECMAScript does', () => {
  expect(canonicalJson({ b: [1e21, 0.1, -0], a: '\u20ac', '\ud83d\ude00': 1, '\ufb33': 2, 1: null })).toBe(
    '{"1":null,"a":"\u20ac","b":[1e+21,0.1,0],"\ud83d\ude00":1,"\ufb33":2}',
  )
})
