import type { Store } from '@holdpoint/server/store'

/**
 * The connection of one node to a store. The first commit that matches is stored, but its response and every later commit
 * of this connection wait for `thaw`.
 */
export function frozenAfter(shared: Store, match: (item: Parameters<Store['commit']>[0]) => boolean) {
  let thaw = () => {}
  const thawed = new Promise<void>((resolve) => {
    thaw = resolve
  })
  let isFrozen = false
  const store: Store = {
    ...shared,
    async commit(item) {
      if (isFrozen) await thawed
      const result = await shared.commit(item)
      if (match(item)) isFrozen = true
      if (isFrozen) await thawed
      return result
    },
  }
  return { store, thaw: () => thaw(), isFrozen: () => isFrozen }
}
