import type { Row, Store } from '@holdpoint/server/store'

/**
 * A store as the next release would use it: it writes rows with a higher version, and reads both. This release then
 * finds newer rows in the plain store.
 */
export function asNewerRelease(store: Store): Store {
  const older = <R extends Row | null>(row: R): R =>
    row ? { ...row, data: row.data.replace('{"v":2,', '{"v":1,') } : row
  return {
    ...store,
    async load(refs) {
      const { now, rows } = await store.load(refs)
      return { now, rows: rows.map(older) }
    },
    list: async (...query) => (await store.list(...query)).map(older),
    async byTag(...query) {
      const page = await store.byTag(...query)
      return { ...page, rows: page.rows.map(older) }
    },
    async due(...query) {
      const page = await store.due(...query)
      return { ...page, rows: page.rows.map(older) }
    },
    async snapshot(...query) {
      const page = await store.snapshot(...query)
      return { ...page, rows: page.rows.map(older) }
    },
    commit: (item) =>
      store.commit({
        ...item,
        ...(item.puts && { puts: item.puts.map((put) => ({ ...put, data: put.data.replace('{"v":1,', '{"v":2,') })) }),
      }),
  }
}
