import type { Row, Store } from '../port.ts'
import { createStore } from '../shared/driver.ts'
import { NO_EPOCH } from '../shared/limits.ts'
import { createCommitNotifier } from '../shared/notifier.ts'
import { pageBySerial, readSerial } from '../shared/page-cursor.ts'
import type { MemoryPartitions } from './partitions.ts'

/** Creates a memory store over partitions of the caller. */
export function memoryStoreOver(data: MemoryPartitions, now: () => number = Date.now): Store {
  const wake = createCommitNotifier()

  return createStore({
    name: 'memory',
    shared: false,

    async open() {},

    async load(refs) {
      const rows = refs.map((ref) => {
        const row = data.row(ref)
        return row ? copy(row) : null
      })
      return { now: now(), rows }
    },

    async list(partition, kind, after, limit) {
      return data.list(partition, kind, after, limit).map(copy)
    },

    async byTag(tag, after, limit) {
      const entries = data.tagged(tag, readSerial(after), limit)
      return { rows: entries.map(({ row }) => copy(row)), ...pageBySerial(entries, limit, ({ serial }) => serial) }
    },

    async due(kind, limit) {
      const moment = now()
      const { rows, next } = data.due(kind, moment, limit)
      return { now: moment, rows: rows.map(copy), ...(next !== undefined && { nextDue: next }) }
    },

    async commit(item) {
      const result = data.commit(item)
      wake.committed(item, result)
      return result
    },

    async readLog(partition, from, limit) {
      const log = data.log(partition)
      if (!log) return { epoch: NO_EPOCH, head: 0, floor: 1, events: [] }
      const first = Math.max(from, log.floor)
      const jsons = log.events.slice(first - log.floor, first - log.floor + limit)
      const events = jsons.map((json, index) => ({ seq: first + index, json }))
      return { epoch: log.epoch, head: log.head, floor: log.floor, events }
    },

    async snapshot(partition, kinds, limit) {
      const rows = kinds.flatMap((kind) => data.list(partition, kind, undefined, limit)).slice(0, limit)
      const log = data.log(partition)
      const json = log?.events.at(-1)
      const head = log && json !== undefined ? { seq: log.head, json } : null
      return { now: now(), epoch: log?.epoch ?? NO_EPOCH, head, rows: rows.map(copy) }
    },

    async trim(partition, before) {
      data.trim(partition, before)
    },

    async rewrite(partition, events) {
      data.rewrite(partition, events)
    },

    async erase(partition) {
      data.erase(partition)
    },

    subscribe: wake.subscribe,

    async close() {
      wake.close()
      data.clear()
    },
  })
}

/** Copies a row, so that a caller that changes it does not change the store. */
function copy(row: Row): Row {
  return { ...row }
}
