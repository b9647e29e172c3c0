import { NO_EPOCH } from '../shared/limits.ts'
import { RowSet } from '../shared/row-set.ts'

/** A row as the file has it, or will have it once the transaction under way is committed. */
export interface CachedRow {
  readonly kind: string
  readonly id: string
  /** Its number in the file. */
  row: number
  /** 0 for a row that does not exist. */
  version: number
  tags: string | null
  /** Undefined if it is known by its version only. */
  data: string | undefined
}

/** Characters that are kept at most. */
const MOST = 4_000_000
/** Characters that a row or a partition costs besides its data. */
const EACH = 150

/** A partition as the file has it, with the rows that are known. */
export class CachedPart {
  /** Its number in the file; 0 for a partition that does not exist. */
  part = 0
  epoch = NO_EPOCH
  /** Grows with the transaction under way. */
  head = 0
  /** Whether all rows are known. A partition that does not exist has none, and this process knows what it adds. */
  complete = true
  size = EACH
  readonly rows = new RowSet<CachedRow>()

  /** Undefined for a row that is not known, null for one that does not exist. */
  find(kind: string, id: string): CachedRow | null | undefined {
    const known = this.rows.find(kind, id)
    if (known) return known.version === 0 ? null : known
    return this.complete ? null : undefined
  }
}

/**
 * The partitions and rows that this process read or wrote last. They are valid for as long as no other connection
 * commits, which SQLite reports with a number that can be read without a query. A write takes the lock first, and a read
 * of several rows begins its snapshot first, so both see a number that holds for all they do.
 *
 * Partitions that were not used for a while are dropped together: those that were used since the last time move on to
 * `recent`, and the rest goes with `earlier`.
 */
export class RowCache {
  private readonly dataVersion: () => number
  private readonly most: number
  private recent = new Map<string, CachedPart>()
  private earlier = new Map<string, CachedPart>()
  private version: number | undefined
  /** Characters of the partitions in `recent`. */
  private size = 0

  constructor(dataVersion: () => number, most = MOST) {
    this.dataVersion = dataVersion
    this.most = most
  }

  /**
   * Forgets everything if another connection has committed, and what was not used for a while if there is too much. Call
   * it before the entries are used. Nothing is dropped later, because a transaction needs the partitions that it has
   * touched. Returns whether all that was known before is still true.
   */
  refresh(): boolean {
    const version = this.dataVersion()
    if (version !== this.version) {
      this.clear()
      this.version = version
      return false
    }
    if (this.size * 2 > this.most) {
      this.earlier = this.recent
      this.recent = new Map()
      this.size = 0
    }
    return true
  }

  /** Forgets everything: a transaction was rolled back, or changed rows without their names. */
  clear(): void {
    this.recent.clear()
    this.earlier.clear()
    this.size = 0
    this.version = undefined
  }

  /** Undefined for a partition that is not known. */
  part(name: string): CachedPart | undefined {
    const recent = this.recent.get(name)
    if (recent) return recent
    const earlier = this.earlier.get(name)
    // One large partition would take the place of many.
    if (!earlier || earlier.size * 4 > this.most) return undefined
    this.addPart(name, earlier)
    return earlier
  }

  addPart(name: string, part: CachedPart): void {
    this.recent.set(name, part)
    this.size += part.size
  }

  /** Adds a row that was not known. */
  add(part: CachedPart, row: CachedRow): void {
    row.data = this.kept(row.data)
    const before = part.size
    part.rows.add(row)
    part.size += EACH + row.id.length + (row.data?.length ?? 0)
    this.size += part.size - before
  }

  /** Changes a row that was known. */
  change(part: CachedPart, known: CachedRow, version: number, tags: string | null, data: string | undefined): void {
    const kept = this.kept(data)
    const more = (kept?.length ?? 0) - (known.data?.length ?? 0)
    known.version = version
    known.tags = tags
    known.data = kept
    part.size += more
    this.size += more
  }

  /** One large row would take the place of many. */
  private kept(data: string | undefined): string | undefined {
    return data !== undefined && data.length * 16 > this.most ? undefined : data
  }
}
