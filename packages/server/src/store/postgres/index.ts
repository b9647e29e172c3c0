import type { Commit, CommitResult, Store } from '../port.ts'
import { placeOf } from '../shared/address.ts'
import { sizeOf } from '../shared/commit-size.ts'
import { createStore } from '../shared/driver.ts'
import { storeClosed } from '../shared/errors.ts'
import { createGroup } from '../shared/group-commit.ts'
import { groupLoads } from '../shared/group-loads.ts'
import { createWake, writes } from '../shared/notifier.ts'
import { startHearing } from './listening/hearing.ts'
import { createNotifier, type Notifier } from './listening/notify.ts'
import { Connections } from './pool/connections.ts'
import { isSeparable } from './pool/errors.ts'
import { openPool } from './pool/open-pool.ts'
import type { PostgresPool } from './pool/pool.ts'
import { watchConnections } from './pool/watch-connections.ts'
import { PostgresReader } from './reader.ts'
import { checkSchema, migrateSchema } from './schema/migrate.ts'
import { quoteSchema } from './schema/schema.ts'
import { PostgresWriter } from './writer.ts'

export { postgresSchemaSql } from './schema/schema.ts'

/** How to reach Postgres, and what the store may do there by itself. */
interface PostgresStoreOptions {
  /** Where the database is. Without it and without `pool`, the PG* environment variables apply. */
  connectionString?: string
  /** A `pg.Pool` of yours. The store never ends it. With `listen` it keeps one connection of it while in use; a pool with `max: 1` is polled instead. */
  pool?: PostgresPool
  /** Default `holdpoint`. Up to 40 lower-case letters, digits and "_". */
  schema?: string
  /**
   * Whether the store uses LISTEN to learn of other processes' commits; true by default. If LISTEN does not work, the
   * store polls. Set it to false behind pgbouncer in transaction mode, which accepts LISTEN and drops it.
   */
  listen?: boolean
  /** Whether `open()` creates and upgrades the schema. Set it to false if you run `postgresSchemaSql()` yourself. */
  migrate?: boolean
  /** Connections of the store's own pool. Default 10. */
  max?: number
  /** How long to wait for a connection, before `store_pool_exhausted`. Default 5,000. */
  acquireTimeoutMs?: number
  /** How long one statement may take. Default 10,000. */
  statementTimeoutMs?: number
  /** How often to ask for commits of other processes, while they cannot be listened to. Default 250. */
  pollMs?: number
  /** How often the listening connection is tried by a notification to itself. Default 5,000. */
  probeMs?: number
  /** Milliseconds that are added to the database's clock; for tests. */
  clockOffset?: () => number
  /** Makes the epoch of a new log; random unless given. */
  newEpoch?: () => string
}

interface Opened {
  connections: Connections
  /** Whether the pool has a connection to spare for LISTEN. */
  canListen: boolean
  reader: PostgresReader
  writer: PostgresWriter
  notifier: Notifier
  end(): Promise<void>
}

/** The store, with what an operator needs beside the port. */
export interface PostgresStore extends Store {
  /** Creates or upgrades the schema, also with `migrate: false`: for a deployment step with more rights. */
  migrate(): Promise<void>
}

/**
 * Keeps everything in PostgreSQL (13 or newer), for as many processes as you like. Needs `pg`. Commits that are made
 * at the same time share one transaction. A commit that rejects with `details.applied: 'unknown'` lost its
 * acknowledgment and is never repeated by the store: load the rows again, then decide.
 *
 * @example
 * const store = postgresStore({ connectionString: process.env.DATABASE_URL! })
 * const holdpoint = createHoldpoint({ store, authenticate })
 */
export function postgresStore(options: PostgresStoreOptions = {}): PostgresStore {
  const {
    statementTimeoutMs = 10_000,
    acquireTimeoutMs = 5_000,
    pollMs = 250,
    probeMs = 5_000,
    listen = true,
  } = options
  const schema = options.schema ?? 'holdpoint'
  const quoted = quoteSchema(schema)
  const newEpoch = options.newEpoch ?? (() => crypto.randomUUID().slice(0, 8))
  const author = crypto.randomUUID()
  const channel = `${schema}_wake`
  let connecting: Promise<Opened> | undefined
  let opened: Opened | undefined
  let stopHearing = (_forGood: boolean) => {}
  let closing = false

  const hear = ({ connections, canListen }: Opened) => {
    stopHearing = startHearing(connections, {
      schema: quoted,
      channel,
      author,
      // Listening keeps a connection for itself: a pool of one would have none left for reading and writing.
      listen: listen && canListen,
      pollMs,
      probeMs,
      onPartition: wake.emit,
    })
  }
  const wake = createWake((someone) => {
    if (someone && opened) hear(opened)
    if (!someone) stopHearing(closing)
  })

  const connect = async (): Promise<Opened> => {
    const { max = 10, connectionString } = options
    const times = { acquireMs: acquireTimeoutMs, statementMs: statementTimeoutMs }
    const pool = options.pool ?? (await openPool({ connectionString, max, ...times, direct: listen }))
    // The pool replaces an idle connection that dies. Without a listener its error would end the process.
    const ignore = () => {}
    pool.on('error', ignore)
    const unwatch = watchConnections(pool, ignore)
    const connections = new Connections(pool, times)
    return {
      connections,
      canListen: (pool.options?.max ?? max) > 1,
      reader: new PostgresReader(connections, quoted, options.clockOffset ?? (() => 0)),
      writer: new PostgresWriter(connections, {
        schema: quoted,
        author,
        lockTimeoutMs: Math.ceil(statementTimeoutMs / 3),
        newEpoch,
      }),
      notifier: createNotifier(connections, channel, author),
      async end() {
        pool.off?.('error', ignore)
        unwatch()
        if (!options.pool) await pool.end()
      },
    }
  }

  const use = (): Opened => {
    if (opened) return opened
    throw storeClosed('postgres')
  }

  const group = createGroup<Commit, CommitResult>({
    async flush(items) {
      const { writer, notifier } = use()
      const results = await writer.apply(items)
      items.forEach((item, index) => {
        if (!results[index]?.ok || !writes(item)) return
        // Not `committed`: behind a failover it may follow on events that this process has never seen.
        wake.emit(item.partition)
        notifier.add(item.partition)
      })
      return results
    },
    separable: isSeparable,
    schedule: setImmediate,
    // One group is written while the next one gathers: a lone commit never waits behind a big group.
    lanes: 2,
    maxItems: 512,
    maxSize: 4_000_000,
    sizeOf,
  })

  const store = createStore({
    name: 'postgres',
    shared: true,
    // The address of a pool that was passed in is unknown.
    place: options.pool ? undefined : placeOf([options.connectionString], schema),

    async open() {
      connecting ??= connect()
      const { connections } = await connecting
      if (options.migrate !== false) await migrateSchema(connections, schema)
      await checkSchema(connections, schema)
      if (opened) return
      opened = await connecting
      if (wake.listening) hear(opened)
    },

    load: groupLoads((refs) => use().reader.load(refs), setImmediate),
    list: (partition, kind, after, limit) => use().reader.list(partition, kind, after, limit),
    byTag: (tag, after, limit) => use().reader.byTag(tag, after, limit),
    due: (kind, limit) => use().reader.due(kind, limit),
    commit: group.add,
    readLog: (partition, from, limit) => use().reader.readLog(partition, from, limit),
    snapshot: (partition, kinds, limit) => use().reader.snapshot(partition, kinds, limit),
    trim: (partition, before) => use().writer.trim(partition, before),
    rewrite: (partition, events) => use().writer.rewrite(partition, events),
    erase: (partition) => use().writer.erase(partition),
    subscribe: wake.subscribe,

    async close() {
      await group.idle()
      closing = true
      wake.close()
      const { notifier, end } = (await connecting) ?? {}
      await notifier?.idle()
      await end?.()
    },
  })

  return {
    ...store,
    async migrate() {
      connecting ??= connect()
      await migrateSchema((await connecting).connections, schema)
    },
  }
}
