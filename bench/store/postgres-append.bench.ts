import { postgresStore, type Store } from '@holdpoint/server/postgres'
import pg from 'pg'

const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const CALLERS = 256
const CONNECTIONS = 10

/** Calls `append` from 256 loops for some seconds, each awaiting its own; appends a second. */
async function rate(append: (caller: number) => Promise<unknown>, ms: number): Promise<number> {
  const started = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (performance.now() - started < ms) {
        await append(caller)
        count++
      }
    }),
  )
  return (count / (performance.now() - started)) * 1_000
}

/** The usual way: a row and its NOTIFY in one transaction. NOTIFY takes a lock that all committers of the database share. */
async function perRowNotify(ms: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: URL, max: CONNECTIONS })
  await pool.query(
    `DROP TABLE IF EXISTS bench_rows; CREATE TABLE bench_rows (part int, seq bigserial, json text, PRIMARY KEY (part, seq))`,
  )
  const listener = new pg.Client(URL)
  await listener.connect()
  await listener.query('LISTEN bench_rows')
  const sql = `WITH one AS (INSERT INTO bench_rows (part, json) VALUES ($1, $2)) SELECT pg_notify('bench_rows', $1::text)`
  const result = await rate((caller) => pool.query(sql, [caller, EVENT]), ms)
  await listener.end()
  await pool.query('DROP TABLE bench_rows')
  await pool.end()
  return result
}

async function ours(store: Store, ms: number, partitions: number): Promise<number> {
  return await rate((caller) => store.commit({ partition: `p${caller % partitions}`, events: [EVENT] }), ms)
}

const schema = `bench_${process.pid}`
const store = postgresStore({ connectionString: URL, schema, max: CONNECTIONS })
const other = postgresStore({ connectionString: URL, schema, max: 2 })
await store.open()
await other.open()
let heard = 0
other.subscribe((partitions) => {
  heard += partitions.length
})
const single = async (ms: number) => {
  const started = performance.now()
  let count = 0
  for (; performance.now() - started < ms; count++) await store.commit({ partition: 'p0', events: [EVENT] })
  return (count / (performance.now() - started)) * 1_000
}
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

console.log(
  `Appends a second that wake another process, ${CALLERS} callers, ${CONNECTIONS} connections; target: >= 10 x a NOTIFY a row`,
)
await ours(store, 500, CALLERS)
const rounds = []
for (let round = 0; round < 3; round++) {
  rounds.push({
    perRow: await perRowNotify(1_500),
    spread: await ours(store, 1_500, CALLERS),
    onePartition: await ours(store, 1_500, 1),
    single: await single(500),
  })
}
const of = (key: keyof (typeof rounds)[number]) => Math.round(median(rounds.map((round) => round[key])))
const row = {
  'a NOTIFY a row': of('perRow'),
  'store, a partition each': of('spread'),
  'store, one partition': of('onePartition'),
  'store, one caller': of('single'),
  toPerRow: +median(rounds.map(({ spread, perRow }) => spread / perRow)).toFixed(1),
  heard,
}
console.table([row])
await store.close()
await other.close()
const client = new pg.Client(URL)
await client.connect()
await client.query(`DROP SCHEMA ${schema} CASCADE`)
await client.end()
console.log(JSON.stringify({ bench: 'postgres-append', targets: { toPerRow: 10 }, row }))
