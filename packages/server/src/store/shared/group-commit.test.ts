import { expect, test } from 'vitest'
import { createGroup } from './group-commit.ts'

/** A group whose flushes a test starts. */
function world(lanes: number) {
  const runs: (() => void)[] = []
  const flushed: string[][] = []
  const group = createGroup<string, string>({
    async flush(items) {
      flushed.push([...items])
      return items.map((item) => `${item}!`)
    },
    separable: () => false,
    schedule: (run) => void runs.push(run),
    lanes,
    maxItems: 10,
    maxSize: 100,
    sizeOf: () => 1,
  })
  return { group, runs, flushed }
}

test.each([1, 4])(
  'with %i lanes, commits of one tick share one flush, and so do the commits after them',
  async (lanes) => {
    const { group, runs, flushed } = world(lanes)
    const all = Promise.all(['a', 'b', 'c'].map(group.add))
    expect(runs).toHaveLength(1)
    runs.shift()?.()
    expect(await all).toEqual(['a!', 'b!', 'c!'])
    await group.idle()
    const later = Promise.all(['d', 'e'].map(group.add))
    expect(runs).toHaveLength(1)
    runs.shift()?.()
    expect(await later).toEqual(['d!', 'e!'])
    expect(flushed).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  },
)
