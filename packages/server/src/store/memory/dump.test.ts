import { expect, test } from 'vitest'
import { MemoryPartitions } from './partitions.ts'

const made = () => new MemoryPartitions(() => 'epoch')

test('partitions that are restored continue where the dumped ones were', () => {
  const before = made()
  before.commit({ partition: 'p', puts: [{ kind: 'k', id: 'b', data: '1', tags: ['t'], due: 5 }], events: ['1', '2'] })
  before.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '2', tags: ['t'] }], events: ['3'] })
  before.commit({ partition: 'p', puts: [{ kind: 'k', id: 'b', data: '3', expect: 1, tags: ['t'], due: 7 }] })
  before.trim('p', 2)

  const after = made()
  after.restore(JSON.parse(JSON.stringify(before.dump())))
  expect(after.dump()).toEqual(before.dump())
  expect(after.log('p')).toMatchObject({ epoch: 'epoch', head: 3, floor: 2, events: ['2', '3'] })
  expect(after.list('p', 'k', undefined, undefined).map(({ id, version }) => [id, version])).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  expect(after.tagged('t', undefined, 9).map(({ row }) => row.id)).toEqual(['b', 'a'])
  expect(after.due('k', 6, 9)).toEqual({ rows: [], next: 7 })
  // A new row comes after all that were restored.
  after.commit({ partition: 'p', puts: [{ kind: 'k', id: '0', data: '4', tags: ['t'] }], events: ['4'] })
  expect(after.tagged('t', undefined, 9).map(({ row }) => row.id)).toEqual(['b', 'a', '0'])
  expect(after.log('p')?.head).toBe(4)
})
