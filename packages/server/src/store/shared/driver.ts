import type { Commit, CommitResult, LogEvent, LogPage, Row, RowRef, Store } from '../port.ts'
import { storeClosed } from './errors.ts'
import { checkCommit, checkEvents, checkKey, checkLimit, checkRef, checkSeq } from './limits.ts'

/**
 * The interface of one database, from which `createStore` builds the port. Drivers receive validated arguments, with
 * defaults applied to limits.
 */
export interface Driver {
  readonly name: string
  readonly shared: boolean
  readonly place?: string | undefined
  open(): Promise<void>
  load(refs: readonly RowRef[]): Promise<{ now: number; rows: (Row | null)[] }>
  list(partition: string, kind: string, after: string | undefined, limit: number | undefined): Promise<Row[]>
  byTag(tag: string, after: string | undefined, limit: number): Promise<{ rows: Row[]; next?: string }>
  due(kind: string, limit: number): Promise<{ now: number; rows: Row[]; nextDue?: number }>
  /** Applies a commit. `createStore` does not track it, so the driver's `close` must wait for pending commits. */
  commit(item: Commit): Promise<CommitResult>
  readLog(partition: string, from: number, limit: number): Promise<LogPage>
  snapshot(partition: string, kinds: readonly string[], limit: number | undefined): ReturnType<Store['snapshot']>
  trim(partition: string, before: number): Promise<void>
  /** Receives at least one event, and each event at most once. */
  rewrite(partition: string, events: readonly LogEvent[]): Promise<void>
  erase(partition: string): Promise<void>
  subscribe: Store['subscribe']
  /** Called once, when all other calls have ended and no new one can start; finishes pending commits. */
  close(): Promise<void>
}

const PAGE = 100

/**
 * Creates the port over a driver. It rejects values that no database can store, and all calls after `close()`. It opens
 * the driver with the first call, so that components need not do so.
 */
export function createStore(driver: Driver): Store {
  let closing: Promise<void> | undefined
  let opening: Promise<void> | undefined
  let isOpen = false
  let calls = 0
  let lastCallEnded = () => {}

  const open = () => {
    opening ??= driver.open().then(
      () => {
        isOpen = true
      },
      (error) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }

  const ended = () => {
    calls--
    if (calls === 0) lastCallEnded()
  }

  const during = async <T>(call: () => Promise<T>): Promise<T> => {
    if (closing) throw storeClosed(driver.name)
    calls++
    try {
      if (!isOpen) await open()
      return await call()
    } finally {
      ended()
    }
  }

  const close = async () => {
    if (calls > 0) {
      await new Promise<void>((resolve) => {
        lastCallEnded = resolve
      })
    }
    await driver.close()
  }

  return {
    name: driver.name,
    shared: driver.shared,
    place: driver.place,

    async open() {
      await during(open)
    },

    // As hot as a commit: one promise beyond the driver's own, which `close` waits for.
    load(refs) {
      try {
        for (const ref of refs) checkRef(ref)
        if (closing || !isOpen) return during(() => driver.load(refs))
        calls++
        const loaded = driver.load(refs)
        loaded.then(ended, ended)
        return loaded
      } catch (error) {
        return Promise.reject(error)
      }
    },

    async list(partition, kind, { after, limit } = {}) {
      checkKey('partition', partition)
      checkKey('kind', kind)
      if (after !== undefined) checkKey('id', after)
      return await during(() =>
        driver.list(partition, kind, after, limit === undefined ? undefined : checkLimit(limit, PAGE)),
      )
    },

    async byTag(tag, { after, limit } = {}) {
      checkKey('tag', tag)
      return await during(() => driver.byTag(tag, after, checkLimit(limit, PAGE)))
    },

    async due(kind, { limit } = {}) {
      checkKey('kind', kind)
      return await during(() => driver.due(kind, checkLimit(limit, PAGE)))
    },

    // Commits are frequent, so no promise is added to the driver's own.
    commit(item) {
      try {
        if (closing) throw storeClosed(driver.name)
        checkCommit(item)
        return isOpen ? driver.commit(item) : during(() => driver.commit(item))
      } catch (error) {
        return Promise.reject(error)
      }
    },

    async readLog(partition, { from, limit }) {
      checkKey('partition', partition)
      checkSeq(from)
      return await during(() => driver.readLog(partition, from, checkLimit(limit, PAGE)))
    },

    async snapshot(partition, kinds, { limit } = {}) {
      checkKey('partition', partition)
      for (const kind of kinds) checkKey('kind', kind)
      const once = [...new Set(kinds)]
      return await during(() =>
        driver.snapshot(partition, once, limit === undefined ? undefined : checkLimit(limit, PAGE)),
      )
    },

    async trim(partition, before) {
      checkKey('partition', partition)
      checkSeq(before)
      await during(() => driver.trim(partition, before))
    },

    async rewrite(partition, events) {
      checkKey('partition', partition)
      checkEvents(events)
      if (events.length > 0) await during(() => driver.rewrite(partition, events))
    },

    async erase(partition) {
      checkKey('partition', partition)
      await during(() => driver.erase(partition))
    },

    subscribe: (listener) => (closing ? () => {} : driver.subscribe(listener)),

    close() {
      closing ??= close()
      return closing
    },
  }
}
