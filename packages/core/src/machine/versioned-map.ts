/**
 * A read-only map whose next version costs what changed, not what it holds. Versions share one real map, which belongs
 * to the newest; an older one remembers what was different in its time, and makes itself a map of its own when somebody
 * reads it. That is the right way round: nearly all reading is of the newest.
 */
export class VersionedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  private map: Map<string, V> | undefined
  private newer: VersionedMap<V> | undefined
  /** What differs here from the next newer version; undefined where the key was not there yet. */
  private past: [string, V | undefined][] = []
  private readonly age: number

  constructor(map: Map<string, V> = new Map(), age = 0) {
    this.map = map
    this.size = map.size
    this.age = age
  }

  /** The version after these changes; this one stays as it is. Values are never undefined. */
  with(changes: ReadonlyMap<string, V>): VersionedMap<V> {
    const map = this.current()
    // A line ends now and then: whoever keeps an old version must not keep all that came after it.
    if (this.age > this.size + 100) return new VersionedMap(new Map([...map, ...changes]))
    for (const [key, value] of changes) {
      this.past.push([key, map.get(key)])
      map.set(key, value)
    }
    this.map = undefined
    this.newer = new VersionedMap(map, this.age + 1)
    return this.newer
  }

  /** The real map of this version. An old one gets one of its own, and heads a line of its own from then on. */
  private current(): Map<string, V> {
    if (this.map) return this.map
    const line: VersionedMap<V>[] = []
    let version: VersionedMap<V> = this
    for (; !version.map; version = version.newer!) line.push(version)
    const map = new Map(version.map)
    for (const { past } of line.reverse())
      for (const [key, value] of past) {
        if (value === undefined) map.delete(key)
        else map.set(key, value)
      }
    this.past = []
    this.newer = undefined
    this.map = map
    return map
  }

  get(key: string): V | undefined {
    return this.current().get(key)
  }

  has(key: string): boolean {
    return this.current().has(key)
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
