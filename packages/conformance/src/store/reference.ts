import type { Commit, Row } from '@holdpoint/server/store'

interface ModelRow extends Row {
  due: number | null
  tags: readonly string[]
}

/** The simplest implementation of the store port, with arrays and loops. The model test compares against it. */
export class ReferenceStore {
  rows: ModelRow[] = []
  logs = new Map<string, { head: number; floor: number; events: { seq: number; json: string }[] }>()

  version(partition: string, kind: string, id: string): number {
    return this.find(partition, kind, id)?.version ?? 0
  }

  find(partition: string, kind: string, id: string): ModelRow | undefined {
    return this.rows.find((row) => row.partition === partition && row.kind === kind && row.id === id)
  }

  commit(item: Commit) {
    const { partition, checks = [], puts = [], deletes = [], events = [] } = item
    const named = [
      ...checks.map(({ kind, id, version }) => ({ kind, id, expected: version })),
      ...puts.map(({ kind, id, expect }) => ({ kind, id, expected: expect })),
      ...deletes.map(({ kind, id, expect }) => ({ kind, id, expected: expect })),
    ]
    for (const { kind, id, expected } of named) {
      if (expected !== undefined && this.version(partition, kind, id) !== expected) {
        return { ok: false as const, conflict: { kind, id } }
      }
    }
    for (const { kind, id, data, due = null, tags = [] } of puts) {
      const version = this.version(partition, kind, id) + 1
      this.remove(partition, kind, id)
      this.rows.push({ partition, kind, id, version, data, due, tags })
    }
    for (const { kind, id } of deletes) this.remove(partition, kind, id)
    const log = this.log(partition)
    const firstSeq = events.length > 0 ? log.head + 1 : log.head
    for (const json of events) log.events.push({ seq: ++log.head, json })
    this.logs.set(partition, log)
    return { ok: true as const, firstSeq, lastSeq: log.head }
  }

  log(partition: string) {
    return this.logs.get(partition) ?? { head: 0, floor: 1, events: [] }
  }

  trim(partition: string, before: number): void {
    const log = this.log(partition)
    log.events = log.events.filter(({ seq }) => seq >= before || seq === log.head)
    log.floor = log.events[0]?.seq ?? log.floor
  }

  rewrite(partition: string, seq: number, json: string): void {
    for (const event of this.log(partition).events) if (event.seq === seq) event.json = json
  }

  erase(partition: string): void {
    this.rows = this.rows.filter((row) => row.partition !== partition)
    this.logs.delete(partition)
  }

  list(partition: string, kind: string): Row[] {
    const found = this.rows.filter((row) => row.partition === partition && row.kind === kind)
    return found.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))).map(plain)
  }

  tagged(tag: string): Row[] {
    return this.rows.filter((row) => row.tags.includes(tag)).map(plain)
  }

  /** Due times with their rows. Rows with the same time may come in any order. */
  timed(kind: string): { due: number; row: Row }[] {
    return this.rows.flatMap((row) =>
      row.kind === kind && row.due !== null ? [{ due: row.due, row: plain(row) }] : [],
    )
  }

  private remove(partition: string, kind: string, id: string): void {
    this.rows = this.rows.filter((row) => row.partition !== partition || row.kind !== kind || row.id !== id)
  }
}

function plain({ partition, kind, id, version, data }: Row): Row {
  return { partition, kind, id, version, data }
}
