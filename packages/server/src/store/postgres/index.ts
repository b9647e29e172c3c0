import type { Commit, CommitResult, Store } from '../port.ts'
import { placeOf } from '../shared/address.ts'
import { sizeOf } from '../shared/commit-size.ts'
import { createStore } from '../shared/driver.ts'
import { storeClosed } from '../shared/errors.ts'
import { createGroup } from '../shared/group-commit.ts'
import { groupLoads } from '../shared/group-loads.ts'
import { createCommitNotifier, hasWrites } from '../shared/notifier.ts'
import { startChangeFeed } from './listening/change-feed.ts'
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

/** Options of `postgresStore`. */
interface PostgresStoreOptions {
  /** The address of the database. If neither this nor `pool` is set, the PG* environment variables apply. */
  connectionString?: string
  /**
   * Your own `pg.Pool`, which the store never ends. With `listen` the store occupies one of its connections while there
   * are listeners. With `max: 1` the store polls instead.
   */
  pool?: PostgresPool
  /**
   * The schema for the store's tables: up to 40 lower-case letters, digits and "_".
   *
   * @default 'holdpoint'
   */
  schema?: string
  /**
   * True to receive other processes' commits by LISTEN. If LISTEN does not work, the store polls. Pass false behind
   * pgbouncer in transaction mode, which accepts LISTEN and drops it.
   *
   * @default true
   */
  listen?: boolean
  /**
   * True if `open()` creates and upgrades the schema. Pass false if you run `postgresSchemaSql()` yourself.
   *
   * @default true
   */
  migrate?: boolean
  /**
   * The maximum number of connections in the store's own pool.
   *
   * @default 10
   */
  max?: number
  /**
   * Milliseconds to wait for a connection before a call rejects with `store_pool_exhausted`.
   *
   * @default 5_000
   */
  acquireTimeoutMs?: number
  /**
   * Milliseconds that one statement may take.
   *
   * @default 10_000
   */
  statementTimeoutMs?: number
  /**
   * Milliseconds between two polls for commits of other processes, while LISTEN does not work.
   *
   * @default 250
   */
  pollMs?: number
  /**
   * Milliseconds between two probes, which check that the listening connection still receives notifications.
   *
   * @default 5_000
   */
  probeMs?: number
  /** Milliseconds that are added to the database's clock; for tests. */
  clockOffset?: () => number
  /**
   * Returns the epoch of a new log.
   *
   * @default a random text
   */
  newEpoch?: () => string
}

interface Opened {
  connections: Connections
  /** True if the pool has more than one connection, so that one can be used for LISTEN. */
  canListen: boolean
  reader: PostgresReader
  writer: PostgresWriter
  notifier: Notifier
  end(): Promise<void>
}

/** A store with an additional method for operators. */
export interface PostgresStore extends Store {
  /** Creates or upgrades the schema, also with `migrate: false`. Use it in a deployment step that has more rights. */
  migrate(): Promise<void>
}

/**
 * Creates a store in PostgreSQL (13 or newer), for any number of processes. It needs the package `pg`. Concurrent
 * commits share one transaction. If a commit rejects with `details.applied: 'unknown'`, its acknowledgment was lost.
 * The store does not repeat it: load the rows again, then decide.
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

  const startFeed = ({ connections, canListen }: Opened) => {
    stopHearing = startChangeFeed(connections, {
      schema: quoted,
      channel,
      author,
      // LISTEN occupies a connection, so a pool of one would have none left for reading and writing.
      listen: listen && canListen,
      pollMs,
      probeMs,
      onPartition: wake.emit,
    })
  }
  const wake = createCommitNotifier((someone) => {
    if (someone && opened) startFeed(opened)
    if (!someone) stopHearing(closing)
  })

  const connect = async (): Promise<Opened> => {
    const { max = 10, connectionString } = options
    const times = { acquireMs: acquireTimeoutMs, statementMs: statementTimeoutMs }
    const pool = options.pool ?? (await openPool({ connectionString, max, ...times, direct: listen }))
    // The pool replaces an idle connection that dies. Without an error listener, its error would end the process.
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
        if (!results[index]?.ok || !hasWrites(item)) return
        // `wrote` and not `committed`, because after a failover the commit may follow events that this process has never
        // seen.
        wake.wrote(item)
        notifier.add(item.partition)
      })
      return results
    },
    separable: isSeparable,
    schedule: setImmediate,
    // Two groups can be written at once, so that a single commit does not wait for a large group.
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
      if (wake.listening) startFeed(opened)
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
