/** A row as the file has it, or will have it once the transaction under way is committed. */
export interface CachedRow {
  /** Its number in the file. */
  readonly row: number
  readonly version: number
  readonly tags: string | null
  /** Undefined if it was read for its version only. */
  readonly data: string | undefined
}

/** A partition as the file has it. `head` grows with the transaction under way. */
export interface CachedPart {
  readonly part: number
  readonly epoch: string
  head: number
}

/** Characters that are kept at most. */
const MOST = 4_000_000
/** Characters that an entry costs besides its data. */
const EACH = 300

/**
 * The rows and partitions that this process read or wrote last, null for a row that does not exist. They are valid for as
 * long as no other connection commits, which SQLite reports with a number that can be read without a query. A write takes
 * the lock first, and a read of several rows begins its snapshot first, so both see a number that holds for all they do.
 */
export class RowCache {
  private readonly dataVersion: () => number
  private readonly most: number
  private readonly rows = new Map<string, CachedRow | null>()
  private readonly parts = new Map<string, CachedPart>()
  private version: number | undefined
  private size = 0

  constructor(dataVersion: () => number, most = MOST) {
    this.dataVersion = dataVersion
    this.most = most
  }

  /**
   * Forgets everything if another connection has committed, and the oldest entries if there are too many. Call it before
   * the entries are used. Nothing is dropped later, because a transaction needs the partitions that it has touched.
   * Returns whether all that was known before is still true.
   */
  refresh(): boolean {
    const version = this.dataVersion()
    if (version !== this.version) {
      this.clear()
      this.version = version
      return false
    }
    if (this.size > this.most) this.drop()
    return true
  }

  /** Forgets everything: a transaction was rolled back, or changed rows without their names. */
  clear(): void {
    this.rows.clear()
    this.parts.clear()
    this.size = 0
    this.version = undefined
  }

  /** Undefined for a row that is not known. */
  find(partition: string, kind: string, id: string): CachedRow | null | undefined {
    return this.rows.get(keyOf(partition, kind, id))
  }

  set(partition: string, kind: string, id: string, row: CachedRow | null): void {
    // One large row would take the place of many.
    if (row?.data !== undefined && row.data.length * 16 > this.most) row = { ...row, data: undefined }
    const key = keyOf(partition, kind, id)
    const before = this.rows.get(key)
    // The entry moves to the end, because the oldest are dropped first.
    if (before !== undefined && this.rows.delete(key)) this.size -= sizeOf(key, before)
    this.size += sizeOf(key, row)
    this.rows.set(key, row)
  }

  part(name: string): CachedPart | undefined {
    return this.parts.get(name)
  }

  setPart(name: string, part: CachedPart): void {
    this.parts.set(name, part)
    this.size += name.length + EACH
  }

  /** Drops the oldest quarter of the rows. Partitions go with the rows of many others, all at once. */
  private drop(): void {
    for (const [key, row] of this.rows) {
      if (this.size <= this.most * 0.75) return
      this.rows.delete(key)
      this.size -= sizeOf(key, row)
    }
    this.parts.clear()
    this.size = 0
  }
}

/** No name contains a NUL. */
const keyOf = (partition: string, kind: string, id: string) => `${partition}\0${kind}\0${id}`

const sizeOf = (key: string, row: CachedRow | null) => key.length + EACH + (row?.data?.length ?? 0)
