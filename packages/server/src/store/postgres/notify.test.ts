import { expect, test } from 'vitest'
import { chunkPayloads, readPayload } from './notify.ts'

test('every name arrives once, in payloads that PostgreSQL takes', () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `séance/{${'x'.repeat(n % 90)}}\n"${n}"`)
  const payloads = chunkPayloads('me', names)
  expect(payloads.length).toBeGreaterThan(5)
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(7_900)
  expect(payloads.flatMap((payload) => readPayload(payload)?.names)).toEqual(names)
  expect(payloads.map((payload) => readPayload(payload)?.author)).toEqual(payloads.map(() => 'me'))
})

test('a name too long for any payload is left to those who ask', () => {
  const long = '\u0001'.repeat(2_000)
  expect(chunkPayloads('me', ['a', long, 'b'])).toEqual(['["me","a","b"]'])
  expect(chunkPayloads('me', [long])).toEqual([])
  expect(chunkPayloads('me', [])).toEqual([])
})

test.each([undefined, '', '{}', '[]', '[1]', '["me",2]', 'x'])(
  'the payload %j of somebody else is passed by',
  (payload) => {
    expect(readPayload(payload)).toBeUndefined()
  },
)
