import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Commit, CommitResult, LogEvent, Put } from '../port.ts'
import { NO_EPOCH } from '../shared/limits.ts'
import { findConflict } from '../shared/version-check.ts'

interface Part {
  part: number
  epoch: string
  head: number
}

interface Current {
  row: number
  version: number
  tags: string | null
}

type Rows = Map<string, Current | undefined>

/**
 * The number of events that one statement inserts, because each call from JavaScript to SQLite costs about as much as
 * an insert.
 */
const EVENTS_AT_ONCE = 32

const TRIM_AT_ONCE = 5_000

/** Applies groups of commits. Every statement is prepared once; one `apply` is one transaction. */
export class SqliteWriter {
  private readonly newEpoch: () => string
  private readonly statements: ReturnType<typeof prepare>

  constructor(db: DatabaseSync, newEpoch: () => string) {
    this.newEpoch = newEpoch
    this.statements = prepare(db)
  }

  /** Takes the write lock, or throws SQLite's BUSY at once. */
  begin(): void {
    this.statements.begin.run()
  }

  rollback(): void {
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
    const parts = new Map<string, Part>()
    const touched = new Set<Part>()
    const events: (string | number)[] = []
    const results = items.map((item): CommitResult => this.applyOne(item, parts, touched, events))
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
    this.statements.beginEpoch.run(this.newEpoch(), Number(part.part))
  }

  erase(partition: string): void {
    const part = this.statements.part.get(partition)
    if (!part) return
    for (const found of this.statements.taggedRows.all(Number(part.part))) {
      this.untag(Number(found.row), String(found.tags))
    }
    for (const statement of this.statements.erase) statement.run(Number(part.part))
  }

  private applyOne(item: Commit, parts: Map<string, Part>, touched: Set<Part>, events: (string | number)[]) {
    let part = parts.get(item.partition) ?? this.findPart(item.partition, parts)
    const { puts, deletes } = item
    const rows: Rows = new Map()
    const known = part
    const conflict = findConflict(item, (kind, id) => (known && this.look(rows, known.part, kind, id)?.version) ?? 0)
    if (conflict) return { ok: false as const, conflict }
    const count = item.events?.length ?? 0
    if (!part && (puts?.length || count > 0)) part = this.createPart(item.partition, parts)
    if (!part) return { ok: true as const, epoch: NO_EPOCH, firstSeq: 0, lastSeq: 0 }
    for (const put of puts ?? []) this.put(rows, part.part, put)
    for (const { kind, id } of deletes ?? []) this.remove(rows, part.part, kind, id)
    const firstSeq = count > 0 ? part.head + 1 : part.head
    for (const json of item.events ?? []) events.push(part.part, ++part.head, json)
    if (count > 0 || puts?.length || deletes?.length) touched.add(part)
    return { ok: true as const, epoch: part.epoch, firstSeq, lastSeq: part.head }
  }

  private findPart(name: string, parts: Map<string, Part>): Part | undefined {
    const found = this.statements.part.get(name)
    if (!found) return undefined
    const part = { part: Number(found.part), epoch: String(found.epoch), head: Number(found.head) }
    parts.set(name, part)
    return part
  }

  private createPart(name: string, parts: Map<string, Part>): Part {
    const epoch = this.newEpoch()
    const { lastInsertRowid } = this.statements.insertPart.run(name, epoch)
    const part = { part: Number(lastInsertRowid), epoch, head: 0 }
    parts.set(name, part)
    return part
  }

  /** Returns a row as it was before its commit. It is read from the file once, for the check and for the write. */
  private look(rows: Rows, part: number, kind: string, id: string): Current | undefined {
    const key = `${kind}\0${id}`
    if (rows.has(key)) return rows.get(key)
    const found = this.statements.current.get(part, kind, id)
    const current = found && {
      row: Number(found.row),
      version: Number(found.version),
      tags: found.tags as string | null,
    }
    rows.set(key, current)
    return current
  }

  private put(rows: Rows, part: number, { kind, id, data, due = null, tags = [] }: Put): void {
    const before = this.look(rows, part, kind, id)
    const wanted = tags.length > 0 ? JSON.stringify([...new Set(tags)]) : null
    let row = before?.row
    if (row === undefined) {
      row = Number(this.statements.insertRow.run(part, kind, id, due, wanted, data).lastInsertRowid)
    } else {
      this.statements.updateRow.run(due, wanted, data, row)
    }
    if (wanted === (before?.tags ?? null)) return
    if (before?.tags) this.untag(row, before.tags)
    for (const tag of new Set(tags)) this.statements.insertTag.run(tag, row)
  }

  private remove(rows: Rows, part: number, kind: string, id: string): void {
    const before = this.look(rows, part, kind, id)
    if (!before) return
    if (before.tags) this.untag(before.row, before.tags)
    this.statements.deleteRow.run(before.row)
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
