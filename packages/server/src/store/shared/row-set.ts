/** Sets of this size are searched one by one, which needs less time and memory than a map. */
const FEW = 24

/** Things that stand for rows of one partition, in the order in which they were added. Most sets have a few. */
export class RowSet<T extends { readonly kind: string; readonly id: string }> {
  readonly all: T[] = []
  private index: Map<string, T> | undefined

  find(kind: string, id: string): T | undefined {
    if (this.index) return this.index.get(keyOf(kind, id))
    for (const one of this.all) if (one.id === id && one.kind === kind) return one
    return undefined
  }

  /** The set must not have this row yet. */
  add(one: T): void {
    this.all.push(one)
    if (this.index) this.index.set(keyOf(one.kind, one.id), one)
    else if (this.all.length > FEW) this.index = new Map(this.all.map((one) => [keyOf(one.kind, one.id), one]))
  }
}

/** No kind contains a NUL. */
const keyOf = (kind: string, id: string) => `${kind}\0${id}`
