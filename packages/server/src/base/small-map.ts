/**
 * A map that usually has one entry and then takes no memory beyond its own fields. A process may keep one for each of a
 * hundred thousand sessions, and an empty `Map` takes 200 bytes.
 */
export class SmallMap<K, V> {
  private key: K | undefined
  private value: V | undefined
  private single = false
  private many: Map<K, V> | undefined

  get size(): number {
    return this.many ? this.many.size : this.single ? 1 : 0
  }

  get(key: K): V | undefined {
    if (this.many) return this.many.get(key)
    return this.single && this.key === key ? this.value : undefined
  }

  set(key: K, value: V): void {
    if (this.many) this.many.set(key, value)
    else if (!this.single || this.key === key) {
      this.key = key
      this.value = value
      this.single = true
    } else {
      this.many = new Map([
        [this.key as K, this.value as V],
        [key, value],
      ])
      this.clear()
    }
  }

  delete(key: K): void {
    if (this.many) this.many.delete(key)
    else if (this.key === key) this.clear()
  }

  keys(): Iterable<K> {
    return this.many?.keys() ?? (this.single ? [this.key as K] : [])
  }

  values(): Iterable<V> {
    return this.many?.values() ?? (this.single ? [this.value as V] : [])
  }

  private clear(): void {
    this.key = undefined
    this.value = undefined
    this.single = false
  }
}
