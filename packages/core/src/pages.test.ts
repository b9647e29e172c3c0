import { expect, test } from 'vitest'
import { pages } from './pages.ts'

const list = [[1, 2], [3], []]

function reader() {
  const asked: (number | undefined)[] = []
  const read = async (after: number | undefined): Promise<{ items: number[]; next?: number }> => {
    asked.push(after)
    const at = after ?? 0
    return { items: list[at] ?? [], ...(at + 1 < list.length && { next: at + 1 }) }
  }
  return { asked, read }
}

test('pages() reads a list to its last page, each from the cursor of the previous page', async () => {
  const { asked, read } = reader()
  const found: number[][] = []
  for await (const { items } of pages(read)) found.push(items)
  expect([found, asked]).toEqual([list, [undefined, 1, 2]])
})

test('pages() reads no further page if the caller stops early', async () => {
  const { asked, read } = reader()
  for await (const { items } of pages(read)) if (items.includes(2)) break
  expect(asked).toEqual([undefined])
})

test('pages() rejects at a page that cannot be read, after the pages before it', async () => {
  const found: number[] = []
  const all = async () => {
    const read = async (after?: number) => {
      if (after !== undefined) throw new Error('away')
      return { item: 1, next: 1 }
    }
    for await (const { item } of pages(read)) found.push(item)
  }
  await expect(all()).rejects.toThrow('away')
  expect(found).toEqual([1])
})
