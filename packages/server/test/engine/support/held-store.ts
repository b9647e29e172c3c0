import type { Store } from '@holdpoint/server/store'

type Held = 'load' | 'due' | 'commit'
type Match<Name extends Held> = (...args: Parameters<Store[Name]>) => boolean

/**
 * A store in which one call can be held, so that a race always has the same result. A call that is held `after` has
 * happened, so its result is outdated when it arrives.
 */
export function heldStore(store: Store) {
  const holds = new Set<{
    name: Held
    match: (...args: never[]) => boolean
    when: 'before' | 'after'
    reach: () => void
    released: Promise<void>
  }>()

  const through = async <T>(name: Held, args: unknown[], work: () => Promise<T>): Promise<T> => {
    const hold = [...holds].find((one) => one.name === name && one.match(...(args as never[])))
    if (!hold) return await work()
    // Only the first of its kind.
    holds.delete(hold)
    if (hold.when === 'after') {
      const result = await work()
      hold.reach()
      await hold.released
      return result
    }
    hold.reach()
    await hold.released
    return await work()
  }

  return {
    ...store,
    load: (refs) => through('load', [refs], () => store.load(refs)),
    due: (kind, options) => through('due', [kind, options], () => store.due(kind, options)),
    commit: (item) => through('commit', [item], () => store.commit(item)),
    /** Holds the next call that matches. `reached` resolves when a call is held. */
    hold<Name extends Held>(name: Name, when: 'before' | 'after', match: Match<Name>) {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const reached = new Promise<void>((resolve, reject) => {
        const missed = setTimeout(() => reject(new Error(`no such call of ${name} came within 10 s`)), 10_000)
        const reach = () => {
          clearTimeout(missed)
          resolve()
        }
        holds.add({ name, match: match as unknown as (...args: never[]) => boolean, when, reach, released })
      })
      return { reached, release }
    },
  } satisfies Store & Record<string, unknown>
}
