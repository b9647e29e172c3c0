/**
 * A read-only map whose next version costs as much as its changes. All versions share one real map with the newest
 * values, and older versions store the values that differ.
 */
export class VersionedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  private readonly map: Map<string, V>
  private readonly age: number
  private newer?: VersionedMap<V>
  /** The values that differ from the next newer version; undefined for keys that did not exist yet. */
  private readonly past = new Map<string, V | undefined>()

  constructor(map: Map<string, V> = new Map(), age = 0) {
    this.map = map
    this.size = map.size
    this.age = age
  }

  /** Returns the next version with these changes; this version stays unchanged. Values are never undefined. */
  with(changes: ReadonlyMap<string, V>): VersionedMap<V> {
    const { map, past, age, size } = this
    // A line of versions has no branches, and a new line starts regularly, so that an old version does not keep all
    // later ones in memory.
    if (this.newer || age > size + 100) return new VersionedMap(new Map([...this.whole(), ...changes]))
    for (const [key, value] of changes) {
      past.set(key, map.get(key))
      map.set(key, value)
    }
    this.newer = new VersionedMap(map, age + 1)
    return this.newer
  }

  get(key: string): V | undefined {
    for (let version: VersionedMap<V> | undefined = this; version.newer; version = version.newer)
      if (version.past.has(key)) return version.past.get(key)
    return this.map.get(key)
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  /** Returns a copy, also of the newest version, because the body of a loop may create the next one. */
  private whole(): Map<string, V> {
    const whole = new Map(this.map)
    if (this.newer)
      for (const key of this.map.keys()) {
        const value = this.get(key)
        if (value === undefined) whole.delete(key)
        else whole.set(key, value)
      }
    return whole
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
