const BLOCK = 512

/**
 * A sorted set that is fast with a hundred thousand members. It consists of sorted blocks of limited size, so that an
 * insertion moves the members of one block only.
 */
export class OrderedSet<T> {
  private readonly blocks: T[][] = []
  private readonly compare: (a: T, b: T) => number

  constructor(compare: (a: T, b: T) => number) {
    this.compare = compare
  }

  add(item: T): void {
    const at = Math.min(this.blockOf(item), Math.max(0, this.blocks.length - 1))
    const block = this.blocks[at]
    if (!block) {
      this.blocks.push([item])
      return
    }
    const index = this.lowerBound(block, item)
    const there = block[index]
    if (there !== undefined && this.compare(there, item) === 0) return
    block.splice(index, 0, item)
    if (block.length > BLOCK) this.blocks.splice(at + 1, 0, block.splice(BLOCK / 2))
  }

  delete(item: T): void {
    const at = this.blockOf(item)
    const block = this.blocks[at]
    if (!block) return
    const index = this.lowerBound(block, item)
    const there = block[index]
    if (there === undefined || this.compare(there, item) !== 0) return
    block.splice(index, 1)
    if (block.length === 0) this.blocks.splice(at, 1)
  }

  get empty(): boolean {
    return this.blocks.length === 0
  }

  /** Returns the members in order, after `start` if it is given. `start` need not be a member. */
  *after(start?: T): Generator<T> {
    for (let at = start === undefined ? 0 : this.blockOf(start); at < this.blocks.length; at++) {
      const block = this.blocks[at] ?? []
      let index = start === undefined ? 0 : this.lowerBound(block, start)
      const first = block[index]
      if (start !== undefined && first !== undefined && this.compare(first, start) === 0) index++
      for (; index < block.length; index++) yield block[index] as T
      start = undefined
    }
  }

  /** Returns the first block whose last member is not below `item`. */
  private blockOf(item: T): number {
    let low = 0
    let high = this.blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const block = this.blocks[middle] ?? []
      if (this.compare(block[block.length - 1] as T, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private lowerBound(block: readonly T[], item: T): number {
    let low = 0
    let high = block.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.compare(block[middle] as T, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
