import { HoldpointError } from '@holdpoint/core'
import type { Store } from '../store/port.ts'

/** The fault of one call to the store. */
export type Fault =
  /** The call fails, and had no effect. */
  | 'fail'
  /** The call took effect, but the caller gets an error: the connection broke before the response. */
  | 'lose the answer'
  /** The call had no effect, and this and every later call never settles: the process died before it. */
  | 'die before'
  /** The call took effect, and this and every later call never settles: the process died after it. */
  | 'die after'

/** The calls of a store that `faultyStore` can make fail. */
export type StoreCall =
  | 'load'
  | 'list'
  | 'byTag'
  | 'due'
  | 'commit'
  | 'readLog'
  | 'snapshot'
  | 'trim'
  | 'rewrite'
  | 'erase'

/** A store that fails on request. */
export interface FaultyStore extends Store {
  /**
   * Sets a function that decides about the fault of each call, by its number starting at 1. Undefined means no fault.
   */
  onCall(decide: (call: { name: StoreCall; number: number }) => Fault | undefined): void
  /** Makes all later calls never settle, as if the process had died. */
  die(): void
  /** Makes the database unavailable until `up()`. */
  down(): void
  up(): void
  readonly calls: number
  readonly dead: boolean
}

/**
 * Wraps a store, to test what an app does when its database fails.
 *
 * @example
 * const store = faultyStore(memoryStore())
 * const holdpoint = createHoldpoint({ store })
 * store.down()
 */
export function faultyStore(store: Store): FaultyStore {
  let decide: (call: { name: StoreCall; number: number }) => Fault | undefined = () => undefined
  let calls = 0
  let dead = false
  let away = false

  const guard = async <T>(name: StoreCall, work: () => Promise<T>): Promise<T> => {
    if (dead) return await never()
    const fault = away ? 'fail' : decide({ name, number: ++calls })
    if (fault === 'fail') throw unavailable()
    if (fault === 'die before') {
      dead = true
      return await never()
    }
    const result = await work()
    if (fault === 'lose the answer') throw unavailable()
    if (fault === 'die after') dead = true
    return dead ? await never() : result
  }

  return {
    name: store.name,
    shared: store.shared,
    place: store.place,
    open: () => store.open(),
    load: (refs) => guard('load', () => store.load(refs)),
    list: (...args) => guard('list', () => store.list(...args)),
    byTag: (...args) => guard('byTag', () => store.byTag(...args)),
    due: (...args) => guard('due', () => store.due(...args)),
    commit: (item) => guard('commit', () => store.commit(item)),
    readLog: (...args) => guard('readLog', () => store.readLog(...args)),
    snapshot: (...args) => guard('snapshot', () => store.snapshot(...args)),
    trim: (...args) => guard('trim', () => store.trim(...args)),
    rewrite: (...args) => guard('rewrite', () => store.rewrite(...args)),
    erase: (...args) => guard('erase', () => store.erase(...args)),
    subscribe: (listener) => store.subscribe((...heard) => (dead ? undefined : listener(...heard))),
    close: () => (dead ? Promise.resolve() : store.close()),
    onCall(next) {
      decide = next
    },
    die() {
      dead = true
    },
    down() {
      away = true
    },
    up() {
      away = false
    },
    get calls() {
      return calls
    },
    get dead() {
      return dead
    },
  }
}

const never = <T>() => new Promise<T>(() => {})

function unavailable(): HoldpointError {
  return new HoldpointError('store_unavailable', 'A test made the store fail here.')
}
