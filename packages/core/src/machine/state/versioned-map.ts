/**
 * A read-only map whose next version costs what changed, not what it holds. Versions share one real map, which says
 * what is true of the newest; an older one remembers what was different in its time.
 */
export class VersionedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  private readonly map: Map<string, V>
  private readonly age: number
  private newer?: VersionedMap<V>
  /** What differs here from the next newer version; undefined where the key was not there yet. */
  private readonly past = new Map<string, V | undefined>()

  constructor(map: Map<string, V> = new Map(), age = 0) {
    this.map = map
    this.size = map.size
    this.age = age
  }

  /** The version after these changes; this one stays as it is. Values are never undefined. */
  with(changes: ReadonlyMap<string, V>): VersionedMap<V> {
    const { map, past, age, size } = this
    // A line has no branches, and ends now and then: whoever keeps an old version must not keep all that came after it.
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

  /** A copy, also of the newest: what a loop does may make the next version. */
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
