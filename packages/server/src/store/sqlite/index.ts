import { resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Commit, CommitResult, Store } from '../port.ts'
import { sizeOf } from '../shared/commit-size.ts'
import { createStore, type Driver } from '../shared/driver.ts'
import { storeClosed, storeError } from '../shared/errors.ts'
import { createGroup } from '../shared/group-commit.ts'
import { groupLoads } from '../shared/group-loads.ts'
import { createWake } from '../shared/notifier.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { isBusy, isSeparable, sqliteError } from './errors.ts'
import { identityOf, nodeSqlite, openFile } from './file.ts'
import { SqliteReader } from './reader.ts'
import { createWatch, type Watch } from './watch.ts'
import { SqliteWriter } from './writer.ts'

/** Which file the store uses, and how it shares that file with other processes. */
interface SqliteStoreOptions {
  /** The database file; it and its folders are created. `:memory:` keeps everything in this process. */
  path: string
  /** How long a write waits for another process that holds the lock, before `store_busy`. Default 5,000. */
  busyTimeoutMs?: number
  /**
   * How often to check for commits of other processes while there are listeners; default 20. If the system reports
   * writes to a file, they are seen at once.
   */
  pollMs?: number
  /** The store's clock in milliseconds; `Date.now` unless given. */
  now?: () => number
  /** Makes the epoch of a new log; random unless given. */
  newEpoch?: () => string
}

interface Opened {
  /** Of the file as it was opened. */
  identity: string | undefined
  reader: SqliteReader
  writer: SqliteWriter
  watch: Watch
  checkpoints: Checkpoints
  close(): void
}

/**
 * One file, no service: durable (WAL, a disk flush at every commit), shared by the processes of one machine. Commits
 * that are made at the same time share one transaction.
 *
 * @example
 * const holdpoint = createHoldpoint({ store: sqliteStore({ path: '.holdpoint/data.db' }), authenticate })
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  return createStore(sqliteDriver(options))
}

function sqliteDriver(options: SqliteStoreOptions): Driver {
  const { path, busyTimeoutMs = 5_000, pollMs = 20, now = Date.now } = options
  nodeSqlite()
  const newEpoch = options.newEpoch ?? (() => crypto.randomUUID().slice(0, 8))
  let opened: Opened | undefined
  let opening: Promise<Opened> | undefined

  const wake = createWake((listening) => (listening ? opened?.watch.start() : opened?.watch.stop()))

  const file = (): Opened => {
    if (opened) return opened
    throw storeClosed('sqlite')
  }

  /** Waits for a lock without blocking the event loop, and gives every other error its name. */
  const patiently = async <T>(work: () => T, phase: () => 'read' | 'write' | 'commit' = () => 'read'): Promise<T> => {
    const until = performance.now() + busyTimeoutMs
    // Short waits: a process that commits without pause leaves the lock free for moments only.
    for (let wait = 1; ; wait = Math.min(wait * 2, 10)) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw sqliteError(error, path, phase())
      }
      await sleep(wait)
    }
  }

  /** A file that was replaced or deleted still accepts writes, which no reader will see. */
  const checkIdentity = () => {
    if (identityOf(path) === file().identity) return
    throw storeError(
      'store_unavailable',
      `The SQLite file ${path} was replaced or deleted while this process had it open. Nothing was written. Restart the process so that it opens the file that is there now.`,
      { details: { path, applied: 'no' } },
    )
  }

  /** One write transaction. Between its first and its last line nothing else of this process runs. */
  const transaction = <T>(write: (writer: SqliteWriter) => T): Promise<T> => {
    let committing = false
    const work = () => {
      const { writer } = file()
      writer.begin()
      try {
        const result = write(writer)
        checkIdentity()
        committing = true
        writer.commit()
        return result
      } catch (error) {
        writer.rollback()
        throw error
      }
    }
    return patiently(work, () => (committing ? 'commit' : 'write'))
  }

  const open = () => {
    const db = openFile(path)
    const reader = new SqliteReader(db)
    const watch = createWatch(reader, { path, pollMs }, (partitions) => partitions.forEach(wake.emit))
    if (wake.listening) watch.start()
    const writer = new SqliteWriter(db, newEpoch)
    const checkpoints = createCheckpoints(() => writer.checkpoint())
    return { identity: identityOf(path), reader, writer, watch, checkpoints, close: () => db.close() }
  }

  const group = createGroup<Commit, CommitResult>({
    async flush(items) {
      const { results, change } = await transaction((writer) => writer.apply(items))
      if (change > 0) file().watch.own(change)
      file().checkpoints.after(items)
      items.forEach((item, index) => {
        wake.committed(item, results[index])
      })
      return results
    },
    separable: isSeparable,
    // After the sockets of this turn were read: everything that they brought shares one disk flush.
    schedule: setImmediate,
    lanes: 1,
    maxItems: 1_000,
    maxSize: 4_000_000,
    sizeOf,
  })

  return {
    name: 'sqlite',
    shared: path !== ':memory:',
    place: path === ':memory:' ? undefined : resolve(path),

    async open() {
      opening ??= patiently(open)
      try {
        opened = await opening
      } catch (error) {
        opening = undefined
        throw error
      }
    },

    // Not in a later turn: reading is as fast as waiting for one.
    load: groupLoads(
      async (refs) => ({ now: now(), rows: await patiently(() => file().reader.load(refs)) }),
      queueMicrotask,
    ),

    list: (partition, kind, after, limit) => patiently(() => file().reader.list(partition, kind, after, limit)),

    byTag: (tag, after, limit) => patiently(() => file().reader.byTag(tag, after, limit)),

    async due(kind, limit) {
      const moment = now()
      return { now: moment, ...(await patiently(() => file().reader.due(kind, moment, limit))) }
    },

    commit: group.add,

    readLog: (partition, from, limit) => patiently(() => file().reader.readLog(partition, from, limit)),

    async snapshot(partition, kinds, limit) {
      return { now: now(), ...(await patiently(() => file().reader.snapshot(partition, kinds, limit))) }
    },

    async trim(partition, before) {
      while (await transaction((writer) => writer.trim(partition, before))) await nextTurn()
    },

    rewrite: (partition, events) => transaction((writer) => writer.rewrite(partition, events)),

    erase: (partition) => transaction((writer) => writer.erase(partition)),

    subscribe: wake.subscribe,

    async close() {
      await group.idle()
      wake.close()
      opened?.watch.stop()
      opened?.checkpoints.stop()
      opened?.close()
      opened = undefined
    },
  }
}
