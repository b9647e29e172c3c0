import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@holdpoint/server/memory'
import { postgresStore } from '@holdpoint/server/postgres'
import { type Store, sqliteStore } from '@holdpoint/server/sqlite'
import pg from 'pg'

/**
 * What one append, one settle and one read cost when a session has had 10 to 1,000,000 events, and when there are 10
 * to 100,000 sessions. Flat is the target: the last figure at most twice the first. `--quick` ends at a tenth.
 */
const SHRINK = process.argv.includes('--quick') ? 10 : 1
const EVENTS = [10, 1_000, 100_000, 1_000_000 / SHRINK]
const SESSIONS = [10, 1_000, 100_000 / SHRINK]
const SAMPLES = 300
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

async function microseconds(work: (n: number) => Promise<unknown>): Promise<number> {
  const times = []
  for (let n = 0; n < SAMPLES; n++) {
    const began = performance.now()
    await work(n)
    times.push((performance.now() - began) * 1_000)
  }
  return Math.round(median(times))
}

/** Of sessions `s0` to `s<count - 1>`, in no order that a cache would like. */
const scattered = (n: number, count: number) => `s${(n * 7_919) % count}`

async function measure(store: Store, sessions: number, head: number) {
  const question = (n: number) => ({ partition: scattered(n, sessions), kind: 'question', id: `q${n % 3}` })
  return {
    append: await microseconds((n) => store.commit({ partition: scattered(n, sessions), events: [EVENT] })),
    settle: await microseconds(async (n) => {
      const { partition, kind, id } = question(n)
      const { rows } = await store.load([{ partition, kind, id }])
      const put = { kind, id, data: EVENT, due: null, tags: ['user'], expect: rows[0]?.version ?? 0 }
      await store.commit({ partition, puts: [put], events: [EVENT] })
    }),
    readTail: await microseconds((n) =>
      store.readLog(scattered(n, sessions), { from: Math.max(1, head - 20), limit: 20 }),
    ),
    snapshot: await microseconds((n) => store.snapshot(scattered(n, sessions), ['question'], { limit: 20 })),
    due: await microseconds(() => store.due('question')),
  }
}

async function growth(name: string, make: () => Promise<Store>) {
  const rows: { store: string; grown: string; size: number; [figure: string]: string | number }[] = []
  const events = await make()
  let head = 0
  for (const size of EVENTS) {
    for (; head < size; head += 1_000) {
      const count = Math.min(1_000, size - head)
      await events.commit({ partition: 's0', events: Array.from({ length: count }, () => EVENT) })
    }
    rows.push({ store: name, grown: 'events of a session', size, ...(await measure(events, 1, size)) })
  }
  await events.close()
  const sessions = await make()
  let made = 0
  for (const size of SESSIONS) {
    while (made < size) {
      const group = Array.from({ length: Math.min(500, size - made) }, () => `s${made++}`)
      await Promise.all(
        group.map((partition, n) => {
          const put = { kind: 'question', id: 'q0', data: EVENT, due: 4e12 + n, tags: ['user', partition] }
          return sessions.commit({ partition, puts: [put], events: [EVENT] })
        }),
      )
    }
    rows.push({ store: name, grown: 'sessions', size, ...(await measure(sessions, size, 1)) })
  }
  await sessions.close()
  return rows
}

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
const schemas: string[] = []
const opened = async (store: Store) => {
  await store.open()
  return store
}
const makers: [string, () => Promise<Store>][] = [
  ['memory', () => opened(memoryStore())],
  ['sqlite', () => opened(sqliteStore({ path: join(folder, `${performance.now()}.db`) }))],
  [
    'postgres',
    () => {
      schemas.push(`growth_${process.pid}_${schemas.length}`)
      return opened(postgresStore({ connectionString: URL, schema: schemas.at(-1) ?? '' }))
    },
  ],
]

const rows = []
for (const [name, make] of makers) {
  const grown = await growth(name, make)
  console.log(`\n${name}: microseconds, median of ${SAMPLES}`)
  console.table(grown)
  rows.push(...grown)
}
rmSync(folder, { recursive: true })
const client = new pg.Client(URL)
await client.connect()
for (const schema of schemas) await client.query(`DROP SCHEMA ${schema} CASCADE`)
await client.end()
console.log(JSON.stringify({ bench: 'growth', rows }))
