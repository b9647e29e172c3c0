import { describe, expect, test } from 'vitest'
import { systemEnvironment } from '../../base/environment.ts'
import { newInteractionId, sessionPartition } from './keys.ts'
import { decodeRow, encodeRow } from './row-codec.ts'

const environment = systemEnvironment()

describe('rows', () => {
  test('of older versions pass every later upcaster, and newer versions are rejected with a code', () => {
    const first = encodeRow({ name: 'Ada' })
    const upcasters = [
      (old: { name: string }) => ({ names: [old.name] }),
      (old: { names: string[] }) => ({ ...old, version: 'third' }),
    ]
    expect(decodeRow('x', first, upcasters)).toEqual({ names: ['Ada'], version: 'third' })
    expect(decodeRow('x', encodeRow({ names: [] }, upcasters), upcasters)).toEqual({ names: [] })
    const newer = encodeRow({}, upcasters)
    expect(() => decodeRow('x', newer)).toThrow(expect.objectContaining({ code: 'row_newer' }))
  })
  test('of different tenants have different names, whatever their ids contain', () => {
    const names = [sessionPartition('a', 'b/c'), sessionPartition('a/b', 'c'), sessionPartition('a', 'b%2Fc')]
    expect(new Set(names).size).toBe(3)
  })
  test('interaction ids sort newest first and cannot be guessed', () => {
    const ids = [1_000, 2_000, 3_000_000_000_000].map((now) => newInteractionId(environment, now))
    expect([...ids].sort()).toEqual([...ids].reverse())
    expect(new Set(ids.map((id) => id.slice(10))).size).toBe(3)
  })
})
