import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { LogEvent, LogPage, Row, RowRef } from '../port.ts'
import { NO_EPOCH } from '../shared/limits.ts'
import { pageBySerial, readSerial } from '../shared/page-cursor.ts'
import { CachedPart, RowCache } from './row-cache.ts'

const ROW = 'name AS partition, kind, id, version, data'

/** The queries of the store. A test checks that each uses an index. */
export const READS = {
  row: 'SELECT row, version, tags, data FROM rows WHERE part = ? AND kind = ? AND id = ?',
  list: `SELECT ${ROW} FROM parts JOIN rows USING (part) WHERE name = ? AND kind = ? AND id > ? ORDER BY id LIMIT ?`,
  byTag: `SELECT row, ${ROW} FROM tags JOIN rows USING (row) JOIN parts USING (part)
    WHERE tag = ? AND row > ? ORDER BY row LIMIT ?`,
  due: `SELECT due, ${ROW} FROM rows JOIN parts USING (part) WHERE kind = ? AND due <= ? ORDER BY due, row LIMIT ?`,
  nextDue: 'SELECT min(due) AS due FROM rows WHERE kind = ? AND due > ?',
  part: 'SELECT part, epoch, head, floor FROM parts WHERE name = ?',
  events: 'SELECT seq, json FROM events WHERE part = ? AND seq >= ? ORDER BY seq LIMIT ?',
  changed: 'SELECT name, changed FROM parts WHERE changed > ?',
} as const

type Found = Record<string, SQLOutputValue>

/** Runs the queries of the store. Statements that belong together run in one read transaction. */
export class SqliteReader {
  /** Shared with the writer of the same connection. */
  readonly cache: RowCache
  private readonly statements: Record<
    keyof typeof READS | 'begin' | 'end' | 'lastChange' | 'dataVersion',
    StatementSync
  >

  constructor(db: DatabaseSync, cached?: number) {
    this.cache = new RowCache(() => this.dataVersion(), cached)
    const { row, list, byTag, due, nextDue, part, events, changed } = READS
    const of = (sql: string) => db.prepare(sql)
    this.statements = {
      begin: of('BEGIN'),
      end: of('COMMIT'),
      row: of(row),
      list: of(list),
      byTag: of(byTag),
      due: of(due),
      nextDue: of(nextDue),
      part: of(part),
      events: of(events),
      changed: of(changed),
      lastChange: of('SELECT counter FROM changes'),
      dataVersion: of('PRAGMA data_version'),
    }
  }

  load(refs: readonly RowRef[]): (Row | null)[] {
    const known = this.known(refs)
    if (known && this.cache.refresh()) return known
    return this.atOnce(() => {
      this.cache.refresh()
      return refs.map((ref) => {
        const part = this.part(ref.partition)
        const cached = rowOf(part, ref)
        return cached === undefined ? this.row(part, ref) : cached
      })
    })
  }

  /** Returns a partition from the cache, or reads it into the cache. */
  part(name: string): CachedPart {
    const known = this.cache.part(name)
    if (known) return known
    const part = new CachedPart()
    const found = this.statements.part.get(name)
    if (found) {
      part.part = Number(found.part)
      part.epoch = String(found.epoch)
      part.head = Number(found.head)
      part.complete = false
    }
    this.cache.addPart(name, part)
    return part
  }

  /** Returns the rows if the cache has all of them. They are valid only if `refresh` returns true afterwards. */
  private known(refs: readonly RowRef[]): (Row | null)[] | undefined {
    const rows: (Row | null)[] = []
    for (const ref of refs) {
      const part = this.cache.part(ref.partition)
      const row = part && rowOf(part, ref)
      if (row === undefined) return undefined
      rows.push(row)
    }
    return rows
  }

  private row(part: CachedPart, { partition, kind, id }: RowRef): Row | null {
    const found = this.statements.row.get(part.part, kind, id)
    const [version, data] = found ? [Number(found.version), String(found.data)] : [0, undefined]
    const tags = (found?.tags ?? null) as string | null
    const known = part.rows.find(kind, id)
    if (known) this.cache.change(part, known, version, tags, data)
    else this.cache.add(part, { kind, id, row: Number(found?.row ?? 0), version, tags, data })
    return data === undefined ? null : { partition, kind, id, version, data }
  }

  list(partition: string, kind: string, after = '', limit = -1): Row[] {
    return this.statements.list.all(partition, kind, after, limit).map(toRow)
  }

  byTag(tag: string, after: string | undefined, limit: number): { rows: Row[]; next?: string } {
    const found = this.statements.byTag.all(tag, readSerial(after) ?? 0, limit)
    return { rows: found.map(toRow), ...pageBySerial(found, limit, ({ row }) => Number(row)) }
  }

  due(kind: string, now: number, limit: number): { rows: Row[]; nextDue?: number } {
    return this.atOnce(() => {
      const found = this.statements.due.all(kind, now, limit + 1)
      const next = found[limit]?.due ?? this.statements.nextDue.get(kind, now)?.due
      const rows = found.slice(0, limit).map(toRow)
      return typeof next === 'number' ? { rows, nextDue: next } : { rows }
    })
  }

  readLog(partition: string, from: number, limit: number): LogPage {
    return this.atOnce(() => {
      const part = this.statements.part.get(partition)
      if (!part) return { epoch: NO_EPOCH, head: 0, floor: 1, events: [] }
      const events = this.statements.events.all(Number(part.part), from, limit).map(toEvent)
      return { epoch: String(part.epoch), head: Number(part.head), floor: Number(part.floor), events }
    })
  }

  snapshot(partition: string, kinds: readonly string[], limit?: number) {
    return this.atOnce(() => {
      const part = this.statements.part.get(partition)
      if (!part) return { epoch: NO_EPOCH, head: null, rows: [] }
      const rows: Row[] = []
      for (const kind of kinds) {
        const room = limit === undefined ? -1 : limit - rows.length
        if (room !== 0) rows.push(...this.list(partition, kind, '', room))
      }
      const last = this.statements.events.get(Number(part.part), Number(part.head), 1)
      return { epoch: String(part.epoch), head: last ? toEvent(last) : null, rows }
    })
  }

  /** Returns the partitions with commits after a change, by any process, and the number of the last change. */
  changedSince(change: number): { partitions: string[]; change: number } {
    const found = this.statements.changed.all(change)
    return {
      partitions: found.map(({ name }) => String(name)),
      change: Math.max(change, ...found.map(({ changed }) => Number(changed))),
    }
  }

  lastChange(): number {
    return Number(this.statements.lastChange.get()?.counter)
  }

  /**
   * Returns a number that changes when another connection has committed. Reading it costs one access to shared memory.
   */
  dataVersion(): number {
    return Number(this.statements.dataVersion.get()?.data_version)
  }

  private atOnce<T>(read: () => T): T {
    this.statements.begin.run()
    try {
      return read()
    } finally {
      this.statements.end.run()
    }
  }
}

/** Undefined for a row that is not known, or only by its version. */
function rowOf(part: CachedPart, { partition, kind, id }: RowRef): Row | null | undefined {
  const found = part.find(kind, id)
  if (!found) return found
  const { version, data } = found
  return data === undefined ? undefined : { partition, kind, id, version, data }
}

function toRow({ partition, kind, id, version, data }: Found): Row {
  return {
    partition: String(partition),
    kind: String(kind),
    id: String(id),
    version: Number(version),
    data: String(data),
  }
}

function toEvent({ seq, json }: Found): LogEvent {
  return { seq: Number(seq), json: String(json) }
}
