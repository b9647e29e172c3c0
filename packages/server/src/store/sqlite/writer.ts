import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Commit, CommitResult, LogEvent, Put } from '../port.ts'
import { findConflict } from '../shared/version-check.ts'
import type { SqliteReader } from './reader.ts'
import type { CachedPart, CachedRow, RowCache } from './row-cache.ts'

/**
 * The number of events that one statement inserts, because each call from JavaScript to SQLite costs about as much as
 * an insert.
 */
const EVENTS_AT_ONCE = 32

const TRIM_AT_ONCE = 5_000

/** Applies groups of commits. Every statement is prepared once; one `apply` is one transaction. */
export class SqliteWriter {
  private readonly reader: SqliteReader
  private readonly cache: RowCache
  private readonly newEpoch: () => string
  private readonly statements: ReturnType<typeof prepare>

  /** The reader has the same connection, so it sees what the transaction under way has written. */
  constructor(db: DatabaseSync, reader: SqliteReader, newEpoch: () => string) {
    this.reader = reader
    this.cache = reader.cache
    this.newEpoch = newEpoch
    this.statements = prepare(db)
  }

  /** Takes the write lock, or throws SQLite's BUSY at once. */
  begin(): void {
    this.statements.begin.run()
  }

  rollback(): void {
    this.cache.clear()
    // Some errors end the transaction by themselves. ROLLBACK then fails because there is nothing to roll back, which
    // is ignored.
    try {
      this.statements.rollback.run()
    } catch {}
  }

  commit(): void {
    this.statements.commit.run()
  }

  /** Checkpoints the log into the file as far as readers permit. Returns the number of pages of the log. */
  checkpoint(): { log: number } {
    return { log: Number(this.statements.checkpoint.get()?.log) }
  }

  /**
   * Applies a group between `begin` and `commit`. Items are applied in order, so each sees the writes of those before
   * it.
   */
  apply(items: readonly Commit[]): { results: CommitResult[]; change: number } {
    this.cache.refresh()
    const touched = new Set<CachedPart>()
    const events: (string | number)[] = []
    const results = items.map((item): CommitResult => this.applyOne(item, touched, events))
    this.insertEvents(events)
    if (touched.size === 0) return { results, change: 0 }
    const change = this.count()
    for (const { part, head } of touched) this.statements.touch.run(head, change, part)
    return { results, change }
  }

  /**
   * Deletes a batch of events, and returns whether more remain. It works in batches because a long transaction would
   * block the process.
   */
  trim(partition: string, before: number): boolean {
    const part = this.statements.part.get(partition)
    if (!part) return false
    const end = Math.min(before, Number(part.head))
    const floor = Math.min(end, Number(part.floor) + TRIM_AT_ONCE)
    if (floor <= Number(part.floor)) return false
    this.statements.trimEvents.run(Number(part.part), floor)
    this.statements.raiseFloor.run(floor, Number(part.part))
    return floor < end
  }

  rewrite(partition: string, events: readonly LogEvent[]): void {
    const part = this.statements.part.get(partition)
    if (!part) return
    for (const { seq, json } of events) this.statements.rewriteEvent.run(json, Number(part.part), seq)
    this.cache.clear()
    this.statements.beginEpoch.run(this.newEpoch(), Number(part.part))
  }

  erase(partition: string): void {
    const part = this.statements.part.get(partition)
    if (!part) return
    for (const found of this.statements.taggedRows.all(Number(part.part))) {
      this.untag(Number(found.row), String(found.tags))
    }
    for (const statement of this.statements.erase) statement.run(Number(part.part))
    this.cache.clear()
  }

  private applyOne(item: Commit, touched: Set<CachedPart>, events: (string | number)[]): CommitResult {
    const { partition, puts = [], deletes = [] } = item
    const part = this.reader.part(partition)
    const conflict = findConflict(item, (kind, id) => this.look(part, kind, id)?.version ?? 0)
    if (conflict) return { ok: false, conflict }
    const count = item.events?.length ?? 0
    if (part.part === 0 && (puts.length > 0 || count > 0)) this.create(part, partition)
    for (const put of puts) this.put(part, put)
    for (const { kind, id } of deletes) this.remove(part, kind, id)
    const firstSeq = count > 0 ? part.head + 1 : part.head
    for (const json of item.events ?? []) events.push(part.part, ++part.head, json)
    if (part.part > 0 && (count > 0 || puts.length > 0 || deletes.length > 0)) touched.add(part)
    return { ok: true, epoch: part.epoch, firstSeq, lastSeq: part.head }
  }

  private create(part: CachedPart, name: string): void {
    part.epoch = this.newEpoch()
    part.part = Number(this.statements.insertPart.run(name, part.epoch).lastInsertRowid)
  }

  /** Returns a row as it was before its commit. It is read from the file once, for the check and for the write. */
  private look(part: CachedPart, kind: string, id: string): CachedRow | null {
    const cached = part.find(kind, id)
    if (cached !== undefined) return cached
    const found = this.statements.current.get(part.part, kind, id)
    const { row = 0, version = 0, tags = null } = found ?? {}
    const read = { kind, id, row: Number(row), version: Number(version), tags: tags as string | null, data: undefined }
    this.cache.add(part, read)
    return found ? read : null
  }

  private put(part: CachedPart, { kind, id, data, due = null, tags: wanted = [] }: Put): void {
    const before = this.look(part, kind, id)
    const tags = wanted.length > 0 ? JSON.stringify([...new Set(wanted)]) : null
    const tagsBefore = before?.tags ?? null
    const row = before ? this.update(part, before, data, due, tags) : this.insert(part, kind, id, data, due, tags)
    if (tags === tagsBefore) return
    if (tagsBefore !== null) this.untag(row, tagsBefore)
    for (const tag of new Set(wanted)) this.statements.insertTag.run(tag, row)
  }

  private insert(part: CachedPart, kind: string, id: string, data: string, due: number | null, tags: string | null) {
    const row = Number(this.statements.insertRow.run(part.part, kind, id, due, tags, data).lastInsertRowid)
    const known = part.rows.find(kind, id)
    if (known) {
      known.row = row
      this.cache.change(part, known, 1, tags, data)
    } else this.cache.add(part, { kind, id, row, version: 1, tags, data })
    return row
  }

  private update(part: CachedPart, known: CachedRow, data: string, due: number | null, tags: string | null) {
    this.statements.updateRow.run(due, tags, data, known.row)
    this.cache.change(part, known, known.version + 1, tags, data)
    return known.row
  }

  private remove(part: CachedPart, kind: string, id: string): void {
    const before = this.look(part, kind, id)
    if (!before) return
    if (before.tags !== null) this.untag(before.row, before.tags)
    this.statements.deleteRow.run(before.row)
    this.cache.change(part, before, 0, null, undefined)
  }

  private untag(row: number, tags: string): void {
    for (const tag of JSON.parse(tags) as string[]) this.statements.deleteTag.run(tag, row)
  }

  private insertEvents(values: (string | number)[]): void {
    const step = EVENTS_AT_ONCE * 3
    let at = 0
    for (; at + step <= values.length; at += step) this.statements.insertEvents.run(...values.slice(at, at + step))
    for (; at < values.length; at += 3) this.statements.insertEvent.run(...values.slice(at, at + 3))
  }

  private count(): number {
    return Number(this.statements.count.get()?.counter)
  }
}

function prepare(db: DatabaseSync) {
  const of = (sql: string): StatementSync => db.prepare(sql)
  const insertEvents = (count: number) => of(`INSERT INTO events VALUES ${Array(count).fill('(?, ?, ?)').join(', ')}`)
  return {
    begin: of('BEGIN IMMEDIATE'),
    commit: of('COMMIT'),
    rollback: of('ROLLBACK'),
    checkpoint: of('PRAGMA wal_checkpoint(PASSIVE)'),
    part: of('SELECT part, epoch, head, floor FROM parts WHERE name = ?'),
    insertPart: of('INSERT INTO parts (name, epoch, head, floor, changed) VALUES (?, ?, 0, 1, 0)'),
    touch: of('UPDATE parts SET head = ?, changed = ? WHERE part = ?'),
    count: of('UPDATE changes SET counter = counter + 1 RETURNING counter'),
    insertEvent: insertEvents(1),
    insertEvents: insertEvents(EVENTS_AT_ONCE),
    current: of('SELECT row, version, tags FROM rows WHERE part = ? AND kind = ? AND id = ?'),
    insertRow: of('INSERT INTO rows (part, kind, id, version, due, tags, data) VALUES (?, ?, ?, 1, ?, ?, ?)'),
    updateRow: of('UPDATE rows SET version = version + 1, due = ?, tags = ?, data = ? WHERE row = ?'),
    deleteRow: of('DELETE FROM rows WHERE row = ?'),
    insertTag: of('INSERT INTO tags (tag, row) VALUES (?, ?)'),
    deleteTag: of('DELETE FROM tags WHERE tag = ? AND row = ?'),
    taggedRows: of('SELECT row, tags FROM rows WHERE part = ? AND tags IS NOT NULL'),
    trimEvents: of('DELETE FROM events WHERE part = ? AND seq < ?'),
    raiseFloor: of('UPDATE parts SET floor = ? WHERE part = ?'),
    rewriteEvent: of('UPDATE events SET json = ? WHERE part = ? AND seq = ?'),
    beginEpoch: of('UPDATE parts SET epoch = ? WHERE part = ?'),
    erase: [
      of('DELETE FROM rows WHERE part = ?'),
      of('DELETE FROM events WHERE part = ?'),
      of('DELETE FROM parts WHERE part = ?'),
    ],
  }
}
