import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Store, sqliteStore } from '@holdpoint/server/sqlite'

const ROUNDS = 5

/** What a streamed part of an answer weighs. */
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })

/** The physical limit: the same table, the same flush, a bare loop with `group` inserts a transaction. */
function rawLoop(path: string, group: number, total: number): number {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS parts (part INTEGER PRIMARY KEY, head INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS events (part INTEGER NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (part, seq)) STRICT, WITHOUT ROWID;
    INSERT OR IGNORE INTO parts VALUES (1, 0)`)
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?)')
  const head = db.prepare('UPDATE parts SET head = ? WHERE part = ?')
  let seq = 0
  const started = performance.now()
  while (seq < total) {
    begin.run()
    for (let n = 0; n < group; n++) insert.run(1, ++seq, EVENT)
    head.run(seq, 1)
    commit.run()
  }
  const perSecond = (seq / (performance.now() - started)) * 1_000
  db.close()
  return perSecond
}

/** `callers` loops, each of which awaits its commit before the next one. */
async function callersOn(store: Store, callers: number, total: number, partitions = 1): Promise<number> {
  const rounds = Math.ceil(total / callers)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      for (let round = 0; round < rounds; round++) {
        await store.commit({ partition: `p${n % partitions}`, events: [EVENT] })
      }
    }),
  )
  return ((rounds * callers) / (performance.now() - started)) * 1_000
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const store = sqliteStore({ path: join(folder, 'store.db') })
await store.open()
let files = 0
const raw = (group: number, total: number) => rawLoop(join(folder, `raw${++files}.db`), group, total)
await callersOn(store, 100, 20_000)

console.log(
  `Durable appends a second, SQLite FULL, median of ${ROUNDS} interleaved rounds; targets: >= 20 x single, >= 0.8 x bare`,
)
const rows = []
for (const callers of [100, 256]) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bareSingle: raw(1, 1_000),
      single: await callersOn(store, 1, 1_000),
      bareGrouped: raw(callers, 100_000),
      grouped: await callersOn(store, callers, 100_000),
      spread: await callersOn(store, callers, 30_000, callers),
    })
  }
  const of = (key: keyof (typeof rounds)[number]) => Math.round(median(rounds.map((round) => round[key])))
  rows.push({
    callers,
    'bare loop, 1': of('bareSingle'),
    'store, 1': of('single'),
    'bare loop, grouped': of('bareGrouped'),
    'store, grouped': of('grouped'),
    'store, a partition each': of('spread'),
    toSingle: +median(rounds.map(({ grouped, single }) => grouped / single)).toFixed(1),
    toBare: +median(rounds.map(({ grouped, bareGrouped }) => grouped / bareGrouped)).toFixed(2),
  })
}
console.table(rows)
await store.close()
rmSync(folder, { recursive: true })
console.log(JSON.stringify({ bench: 'sqlite-append', targets: { toSingle: 20, toBare: 0.8 }, rows }))
