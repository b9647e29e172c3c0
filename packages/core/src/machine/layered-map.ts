/**
 * A read-only map whose next version costs what changed, not what it holds: changes lie in a small map over a large one
 * that the versions share. From time to time both become one.
 */
export class LayeredMap<V> implements ReadonlyMap<string, V> {
  private readonly base: ReadonlyMap<string, V>
  /** What a draft has changed. */
  readonly top: Map<string, V>

  constructor(base: ReadonlyMap<string, V> = new Map(), top: Map<string, V> = new Map()) {
    this.base = base
    this.top = top
  }

  /** The next version, of a draft: of one that was made over a version, and written into. */
  settle(): LayeredMap<V> {
    const { base, top } = this.base as LayeredMap<V>
    // The larger the map, the rarer the copies: of both layers together there are the fewest at the root of its size.
    return top.size ** 2 > base.size
      ? new LayeredMap(this.whole())
      : new LayeredMap(base, new Map([...top, ...this.top]))
  }

  private whole(): Map<string, V> {
    const { base, top } = this
    const all = base instanceof LayeredMap ? base.whole() : new Map(base)
    for (const [key, value] of top) all.set(key, value)
    return all
  }

  get(key: string): V | undefined {
    return this.top.get(key) ?? this.base.get(key)
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  get size(): number {
    return this.whole().size
  }

  entries(): MapIterator<[string, V]> {
    return this.whole().entries()
  }

  keys(): MapIterator<string> {
    return this.whole().keys()
  }

  values(): MapIterator<V> {
    return this.whole().values()
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }

  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    this.whole().forEach(callback)
  }
}
