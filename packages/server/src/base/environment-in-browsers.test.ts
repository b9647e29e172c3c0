import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { canonicalJson, digestOf } from './canonical-json.ts'
import { byteLength, fromBase64, nodeCrypto, toBase64 } from './environment.ts'

const texts = ['', 'a', 'é', '日本', '😀 and \ud800 alone', 'x'.repeat(70_000)]
const files = [Uint8Array.of(), Uint8Array.of(0, 255, 128), new Uint8Array(200_000).fill(7)]
const values = [null, 'text', { b: [1, 2.5, { c: 'é' }], a: undefined }, [], 'x'.repeat(1_000)]

afterEach(() => vi.unstubAllGlobals())

test('a browser computes the same digests, lengths and base64 as Node', () => {
  const digests = values.map(digestOf)
  const lengths = texts.map(byteLength)
  const encoded = files.map(toBase64)
  expect(digests[2]).toBe(createHash('sha256').update(canonicalJson(values[2])).digest('base64url').slice(0, 22))
  vi.stubGlobal('Buffer', undefined)
  vi.stubGlobal('process', undefined)
  expect(nodeCrypto()).toBeUndefined()
  expect(values.map(digestOf)).toEqual(digests)
  expect(texts.map(byteLength)).toEqual(lengths)
  expect(files.map(toBase64)).toEqual(encoded)
  expect(encoded.map(fromBase64)).toEqual(files)
})
