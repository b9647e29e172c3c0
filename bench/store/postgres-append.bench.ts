import { postgresStore } from '@holdpoint/server/postgres'
import type { Store } from '@holdpoint/server/store'
import pg from 'pg'
import { report } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, ratios, spread } from '../support/statistics.ts'

/** Appends that wake another process, beside the usual way: a row and its NOTIFY in one transaction. */
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const CALLERS = 256
const CONNECTIONS = 10
const ROUNDS = 5
const LEG_MS = 1_500

/** As many loops as there are callers, each awaiting its own, for some time; appends a second. */
async function rate(callers: number, append: (caller: number) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() - started < LEG_MS) {
        await append(caller)
        count++
      }
    }),
  )
  return (count / (performance.now() - started)) * 1_000
}

const schema = `bench_${process.pid}`
const pool = new pg.Pool({ connectionString: URL, max: CONNECTIONS })
await pool.query(`CREATE SCHEMA ${schema};
  CREATE TABLE ${schema}.usual_way (part int, seq bigserial, json text, PRIMARY KEY (part, seq))`)
const listener = new pg.Client(URL)
await listener.connect()
await listener.query(`LISTEN ${schema}_rows`)

/** NOTIFY takes a lock that all committers of the database share. */
const perRow = `WITH one AS (INSERT INTO ${schema}.usual_way (part, json) VALUES ($1, $2)) SELECT pg_notify('${schema}_rows', $1::text)`

const store = postgresStore({ connectionString: URL, schema, max: CONNECTIONS })
const other = postgresStore({ connectionString: URL, schema, max: 2 })
await store.open()
await other.open()
let heard = 0
other.subscribe((partitions) => {
  heard += partitions.length
})
const ours = (to: Store, partitions: number) => (caller: number) =>
  to.commit({ partition: `p${caller % partitions}`, events: [EVENT] })

const rates = await rounds(
  ROUNDS,
  {
    'a NOTIFY a row': () => rate(CALLERS, (caller) => pool.query(perRow, [caller, EVENT])),
    'store, a partition each': () => rate(CALLERS, ours(store, CALLERS)),
    'store, one partition': () => rate(CALLERS, ours(store, 1)),
    'store, one caller': () => rate(1, ours(store, 1)),
  },
  { warmUp: 1 },
)
await store.close()
await other.close()
await listener.end()
await pool.query(`DROP SCHEMA ${schema} CASCADE`)
await pool.end()
if (heard === 0) throw new Error('the other process was never woken')

const usual = rates['a NOTIFY a row']
const each = rates['store, a partition each']
const one = rates['store, one partition']
const scenario = `appends that wake another process, Postgres, ${CALLERS} callers, ${CONNECTIONS} connections`
const figure = (name: string) => `appends, ${name}`
report({
  about: `${ROUNDS} interleaved rounds of ${LEG_MS / 1_000} seconds a leg`,
  results: [
    ...(
      [
        ['each', 'a session each', each],
        ['one', 'one session', one],
      ] as const
    ).map(([id, name, list]) => ({
      id,
      scenario,
      figure: figure(name),
      unit: '× an INSERT with its NOTIFY',
      better: 'higher' as const,
      value: median(ratios(list, usual)),
      spread: spread(ratios(list, usual)),
      target: 10,
      peers: [{ name: 'an INSERT with its NOTIFY', value: 1 }],
      why: `${digits(median(list))} a second of ours beside ${digits(median(usual))} of the usual ones`,
    })),
    {
      id: 'rate',
      scenario,
      figure: figure('a session each'),
      unit: 'a second',
      better: 'higher',
      value: median(each),
      spread: spread(each),
      peers: [{ name: 'an INSERT with its NOTIFY', value: median(usual) }],
    },
  ],
  rows: {
    'appends a second': [
      { ...Object.fromEntries(Object.entries(rates).map(([name, list]) => [name, Math.round(median(list))])), heard },
    ],
  },
})
