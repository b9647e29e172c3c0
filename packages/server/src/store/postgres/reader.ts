import type { LogPage, Row, RowRef } from '../port.ts'
import { NO_EPOCH } from '../shared/limits.ts'
import { pageBySerial, readSerial } from '../shared/page-cursor.ts'
import type { Connections, Rows } from './pool/connections.ts'

/** Runs the queries of the store. `offset` is added to the database's clock. */
export class PostgresReader {
  private readonly connections: Connections
  private readonly schema: string
  private readonly offset: () => number

  constructor(connections: Connections, schema: string, offset: () => number) {
    this.connections = connections
    this.schema = schema
    this.offset = offset
  }

  async load(refs: readonly RowRef[]): Promise<{ now: number; rows: (Row | null)[] }> {
    const columns = [refs.map((ref) => ref.partition), refs.map((ref) => ref.kind), refs.map((ref) => ref.id)]
    const found = await this.ask('load_1', columns)
    const rows: (Row | null)[] = refs.map(() => null)
    for (const one of found) if (one.nth !== null) rows[Number(one.nth) - 1] = toRow(one)
    return { now: this.moment(found), rows }
  }

  async list(partition: string, kind: string, after = '', limit?: number): Promise<Row[]> {
    return (await this.ask('list_1', [partition, kind, after, limit ?? null])).map(toRow)
  }

  async byTag(tag: string, after: string | undefined, limit: number): Promise<{ rows: Row[]; next?: string }> {
    const found = await this.ask('by_tag_1', [tag, readSerial(after) ?? 0, limit])
    return { rows: found.map(toRow), ...pageBySerial(found, limit, ({ serial }) => String(serial)) }
  }

  async due(kind: string, limit: number): Promise<{ now: number; rows: Row[]; nextDue?: number }> {
    const found = await this.ask('due_1', [kind, Math.round(this.offset()), limit + 1])
    const come = found.filter(({ due }) => due !== null)
    const next = come[limit]?.due ?? found[0]?.next_due ?? null
    const rows = come.slice(0, limit).map(toRow)
    const now = Number(found[0]?.now)
    return next === null ? { now, rows } : { now, rows, nextDue: Number(next) }
  }

  async readLog(partition: string, from: number, limit: number): Promise<LogPage> {
    const found = await this.ask('log_1', [partition, from, limit])
    const part = found[0]
    if (!part) return { epoch: NO_EPOCH, head: 0, floor: 1, events: [] }
    const events = found
      .filter(({ seq }) => seq !== null)
      .map(({ seq, body }) => ({ seq: Number(seq), json: String(body) }))
    return { epoch: String(part.epoch), head: Number(part.head), floor: Number(part.floor), events }
  }

  async snapshot(partition: string, kinds: readonly string[], limit?: number) {
    const found = await this.ask('snapshot_1', [partition, kinds, limit ?? null])
    const part = found.find(({ nth }) => Number(nth) === 0)
    const rows = found
      .filter(({ nth }) => Number(nth) > 0)
      .sort((a, b) => Number(a.nth) - Number(b.nth))
      .map(toRow)
    const head = typeof part?.body === 'string' ? { seq: Number(part.head), json: part.body } : null
    const epoch = typeof part?.epoch === 'string' ? part.epoch : NO_EPOCH
    return { now: this.moment(part ? [part] : []), epoch, head, rows }
  }

  private ask(question: string, values: unknown[]): Promise<Rows> {
    const parameters = values.map((_, n) => `$${n + 1}`).join(', ')
    return this.connections.read(`SELECT * FROM ${this.schema}.${question}(${parameters})`, values)
  }

  private moment(found: Rows): number {
    return Number(found[0]?.now) + Math.round(this.offset())
  }
}

function toRow({ name, kind, id, version, data }: Record<string, unknown>): Row {
  return { partition: String(name), kind: String(kind), id: String(id), version: Number(version), data: String(data) }
}
