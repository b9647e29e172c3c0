/**
 * A read-only map whose next version costs what changed, not what it holds. Versions share one real map, which belongs
 * to the newest; an older one remembers what was different in its time. Reading an old version is therefore slower,
 * which is the right way round: nearly all reading is of the newest.
 */
export class VersionedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  private map: Map<string, V> | undefined
  private newer: VersionedMap<V> | undefined
  /** What differs here from the next newer version; undefined where the key was not there yet. */
  private readonly past = new Map<string, V | undefined>()
  private readonly age: number

  constructor(map: Map<string, V> = new Map(), age = 0) {
    this.map = map
    this.size = map.size
    this.age = age
  }

  get(key: string): V | undefined {
    let version: VersionedMap<V> = this
    while (!version.map) {
      if (version.past.has(key)) return version.past.get(key)
      version = version.newer!
    }
    return version.map.get(key)
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  /** The version after these changes; this one stays as it is. Values are never undefined. */
  with(changes: ReadonlyMap<string, V>): VersionedMap<V> {
    let map = this.current()
    // A line ends now and then: whoever keeps an old version must not keep all that came after it.
    const ends = this.age > this.size + 100
    if (ends) map = new Map(map)
    for (const [key, value] of changes) {
      if (!ends) this.past.set(key, map.get(key))
      map.set(key, value)
    }
    const next = new VersionedMap(map, ends ? 0 : this.age + 1)
    if (!ends) {
      this.map = undefined
      this.newer = next
    }
    return next
  }

  /** The real map of this version. An old one gets one of its own, and heads a line of its own from then on. */
  private current(): Map<string, V> {
    if (this.map) return this.map
    const past = new Map<string, V | undefined>()
    let version: VersionedMap<V> = this
    for (; !version.map; version = version.newer!)
      for (const [key, value] of version.past) if (!past.has(key)) past.set(key, value)
    const map = new Map(version.map)
    for (const [key, value] of past) {
      if (value === undefined) map.delete(key)
      else map.set(key, value)
    }
    this.past.clear()
    this.newer = undefined
    this.map = map
    return map
  }

  /** Of a copy: what a loop does may make the next version. */
  entries(): MapIterator<[string, V]> {
    return new Map(this.current()).entries()
  }

  keys(): MapIterator<string> {
    return new Map(this.current()).keys()
  }

  values(): MapIterator<V> {
    return new Map(this.current()).values()
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }

  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) callback(value, key, this)
  }
}
