import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { median, ratios, spread } from '../support/statistics.ts'

/**
 * Durable appends, SQLite with FULL: one caller alone and many at once, beside a bare loop with the same table, the same
 * flush and as many inserts a transaction.
 */
const ROUNDS = 7
const [SINGLE, GROUPED, SPREAD] = [1_000, 100_000, 30_000]

/** The weight of a streamed part of an answer. */
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })

/** The physical limit: `group` inserts a transaction, appends a second. */
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
  const each = Math.ceil(total / callers)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      for (let time = 0; time < each; time++) {
        await store.commit({ partition: `p${n % partitions}`, events: [EVENT] })
      }
    }),
  )
  return ((each * callers) / (performance.now() - started)) * 1_000
}

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const store = sqliteStore({ path: join(folder, 'store.db') })
await store.open()
let files = 0
/** Each loop begins with an empty file, which is to its advantage. */
const raw = (group: number, total: number) => rawLoop(join(folder, `raw${++files}.db`), group, total)

const rows: object[] = []
const results: Result[] = []
for (const callers of [100, 256]) {
  const rates = await rounds(
    ROUNDS,
    {
      'bare loop, 1': () => raw(1, SINGLE),
      'store, 1': () => callersOn(store, 1, SINGLE),
      'bare loop, grouped': () => raw(callers, GROUPED),
      'store, grouped': () => callersOn(store, callers, GROUPED),
      'store, a partition each': () => callersOn(store, callers, SPREAD, callers),
    },
    { warmUp: 1 },
  )
  rows.push({
    callers,
    ...Object.fromEntries(Object.entries(rates).map(([name, list]) => [name, Math.round(median(list))])),
  })
  const toSingle = ratios(rates['store, grouped'], rates['store, 1'])
  const toBare = ratios(rates['store, grouped'], rates['bare loop, grouped'])
  const scenario = `durable appends, SQLite FULL, ${callers} callers`
  const each = { scenario, better: 'higher' } as const
  results.push({
    ...each,
    id: `single-${callers}`,
    figure: 'group commit',
    unit: '× one caller',
    value: median(toSingle),
    spread: spread(toSingle),
    target: 20,
  })
  results.push({
    ...each,
    id: `bare-${callers}`,
    figure: 'group commit',
    unit: `× a bare loop of ${callers} inserts a transaction`,
    value: median(toBare),
    spread: spread(toBare),
    target: 0.8,
    limit: { name: 'the bare loop', value: 1 },
  })
  results.push({
    ...each,
    id: `rate-${callers}`,
    figure: 'appends',
    unit: 'a second',
    value: median(rates['store, grouped']),
    spread: spread(rates['store, grouped']),
    limit: { name: 'the bare loop', value: median(rates['bare loop, grouped']) },
  })
}
await store.close()
rmSync(folder, { recursive: true })
report({ about: `${ROUNDS} interleaved rounds`, results, rows: { 'durable appends a second': rows } })
