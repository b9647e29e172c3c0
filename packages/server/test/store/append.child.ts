import { flushCompileCache } from 'node:module'
import { postgresStore } from '@holdpoint/server/postgres'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'

// A process that is killed writes no compile cache when it ends.
flushCompileCache()

/**
 * Commits without end and says each acknowledgment on its standard output, one line of JSON; the test kills it.
 * Arguments: the store, where it is, and a name that makes this run's events unlike all others.
 */
const [kind = '', where = '', run = ''] = process.argv.slice(2)
const store: Store = kind === 'sqlite' ? sqliteStore({ path: where }) : postgresStore(JSON.parse(where))
await store.open()

async function caller(n: number): Promise<void> {
  for (let count = 0; ; count++) {
    const partition = `p${(n + count) % 3}`
    const event = JSON.stringify([run, n, count])
    const id = `${run}-${n}`
    const puts = [{ kind: 'k', id, data: event, tags: [run] }]
    const result = await store.commit({ partition, puts, events: [event] })
    if (result.ok) process.stdout.write(`${JSON.stringify({ partition, seq: result.lastSeq, json: event, id })}\n`)
  }
}

await Promise.all(Array.from({ length: 12 }, (_, n) => caller(n)))
