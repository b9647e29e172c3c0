import { resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { HoldpointError } from '@holdpoint/core'
import type { Commit, CommitResult, Store } from '../port.ts'
import { sizeOf } from '../shared/commit-size.ts'
import { createStore, type Driver } from '../shared/driver.ts'
import { storeClosed, storeError } from '../shared/errors.ts'
import { createGroup } from '../shared/group-commit.ts'
import { groupLoads } from '../shared/group-loads.ts'
import { createCommitNotifier } from '../shared/notifier.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { isBusy, isSeparable, sqliteError } from './errors.ts'
import { identityOf, nodeSqlite, openFile } from './file.ts'
import { SqliteReader } from './reader.ts'
import { createWatch, type Watch } from './watch.ts'
import { SqliteWriter } from './writer.ts'

/** Options of `sqliteStore`. */
interface SqliteStoreOptions {
  /**
   * The path of the database file. The file and its folders are created. `:memory:` keeps everything in this process.
   */
  path: string
  /**
   * Milliseconds that a write waits for another process that holds the lock, before it rejects with `store_busy`.
   *
   * @default 5_000
   */
  busyTimeoutMs?: number
  /**
   * Milliseconds between two checks for commits of other processes, while there are listeners. If the operating system
   * reports writes to a file, commits are noticed at once.
   *
   * @default 20
   */
  pollMs?: number
  /**
   * The store's clock in milliseconds.
   *
   * @default Date.now
   */
  now?: () => number
  /**
   * Returns the epoch of a new log.
   *
   * @default a random text
   */
  newEpoch?: () => string
}

interface Opened {
  /** The identity of the file when it was opened. */
  identity: string | undefined
  reader: SqliteReader
  writer: SqliteWriter
  watch: Watch
  checkpoints: Checkpoints
  close(): void
}

/**
 * Creates a store in one SQLite file, without a service. It is durable (WAL, a disk flush at every commit) and can be
 * shared by the processes of one machine. Concurrent commits share one transaction.
 *
 * @example
 * const holdpoint = createHoldpoint({ store: sqliteStore({ path: '.holdpoint/data.db' }), authenticate })
 */
export function sqliteStore(options: SqliteStoreOptions): Store {
  const path: unknown = options?.path
  if (typeof path !== 'string' || path === '') {
    throw new HoldpointError(
      'invalid_options',
      `sqliteStore: "path" must be a non-empty string, got ${JSON.stringify(path)}. Write sqliteStore({ path: '.holdpoint/data.db' }).`,
    )
  }
  return createStore(sqliteDriver(options))
}

function sqliteDriver(options: SqliteStoreOptions): Driver {
  const { path, busyTimeoutMs = 5_000, pollMs = 20, now = Date.now } = options
  nodeSqlite()
  const newEpoch = options.newEpoch ?? (() => crypto.randomUUID().slice(0, 8))
  let opened: Opened | undefined
  let opening: Promise<Opened> | undefined

  const wake = createCommitNotifier((listening) => (listening ? opened?.watch.start() : opened?.watch.stop()))

  const file = (): Opened => {
    if (opened) return opened
    throw storeClosed('sqlite')
  }

  /** Runs work, and waits for a lock without blocking the event loop. Other errors are converted to store errors. */
  const retryWhileBusy = async <T>(
    work: () => T,
    phase: () => 'read' | 'write' | 'commit' = () => 'read',
  ): Promise<T> => {
    const until = performance.now() + busyTimeoutMs
    // Waits are short, because a process that commits without pause releases the lock only for moments.
    for (let wait = 1; ; wait = Math.min(wait * 2, 10)) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw sqliteError(error, path, phase())
      }
      await sleep(wait)
    }
  }

  /** Throws if the file was replaced or deleted. Such a file still accepts writes, but no reader would see them. */
  const checkIdentity = () => {
    if (identityOf(path) === file().identity) return
    throw storeError(
      'store_unavailable',
      `The SQLite file ${path} was replaced or deleted while this process had it open. Nothing was written. Restart the process so that it opens the file that is there now.`,
      { details: { path, applied: 'no' } },
    )
  }

  /** Runs one write transaction. It is synchronous, so no other code of this process runs during it. */
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
    return retryWhileBusy(work, () => (committing ? 'commit' : 'write'))
  }

  const open = () => {
    const db = openFile(path)
    const reader = new SqliteReader(db)
    const watch = createWatch(reader, { path, pollMs }, (partitions) => partitions.forEach(wake.emit))
    if (wake.listening) watch.start()
    const writer = new SqliteWriter(db, reader, newEpoch)
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
    // Runs after the sockets of this turn were read, so that all requests they delivered share one disk flush.
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
      opening ??= retryWhileBusy(open)
      try {
        opened = await opening
      } catch (error) {
        opening = undefined
        throw error
      }
    },

    // Reads in the same turn, because reading is as fast as waiting for a later one.
    load: groupLoads(
      async (refs) => ({ now: now(), rows: await retryWhileBusy(() => file().reader.load(refs)) }),
      queueMicrotask,
    ),

    list: (partition, kind, after, limit) => retryWhileBusy(() => file().reader.list(partition, kind, after, limit)),

    byTag: (tag, after, limit) => retryWhileBusy(() => file().reader.byTag(tag, after, limit)),

    async due(kind, limit) {
      const moment = now()
      return { now: moment, ...(await retryWhileBusy(() => file().reader.due(kind, moment, limit))) }
    },

    commit: group.add,

    readLog: (partition, from, limit) => retryWhileBusy(() => file().reader.readLog(partition, from, limit)),

    async snapshot(partition, kinds, limit) {
      return { now: now(), ...(await retryWhileBusy(() => file().reader.snapshot(partition, kinds, limit))) }
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
