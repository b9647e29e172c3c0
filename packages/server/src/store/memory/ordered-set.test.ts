import { expect, test } from 'vitest'
import { OrderedSet } from './ordered-set.ts'

test('an ordered set with many members equals a sorted array from any position', () => {
  const set = new OrderedSet<number>((a, b) => a - b)
  const plain = new Set<number>()
  for (let n = 0; n < 3_000; n++) {
    const member = (n * 7_919) % 2_003
    set.add(member)
    plain.add(member)
  }
  for (let n = 0; n < 2_003; n += 3) {
    set.delete(n)
    set.delete(n)
    plain.delete(n)
  }
  const sorted = [...plain].sort((a, b) => a - b)
  expect([...set.after()]).toEqual(sorted)
  for (const start of [-1, 0, 1, 500, 511, 512, 513, 1_000, 1_999, 2_002, 9_999]) {
    expect([...set.after(start)], `after ${start}`).toEqual(sorted.filter((member) => member > start))
  }
  for (const member of sorted) set.delete(member)
  set.delete(1)
  expect([set.empty, [...set.after()], [...set.after(5)]]).toEqual([true, [], []])
})
