import { memoryStore } from '@holdpoint/server/memory'
import type { Environment } from '../../../src/base/environment.ts'
import { systemEnvironment } from '../../../src/base/environment.ts'
import type { Store } from '../../../src/store/port.ts'

/** A store and a clock that the test moves; the same time for tokens and for the store. */
export interface World {
  store: Store
  environment: Environment
  now: () => number
  advance(ms: number): void
  /** Every row that the store ever held, as text: what a stolen backup would show. */
  dump(): string
  /** Calls of the store so far. */
  calls(): number
}

/** Starts at the real time, so that tokens of real servers are neither old nor early. */
export function createWorld(start = Date.now()): World {
  let offset = 0
  const began = Date.now()
  const now = () => start + (Date.now() - began) + offset
  const written: string[] = []
  const inner = memoryStore({ now })
  const chance = seeded(42)
  /** As a database would: answers come later and in another order, so that races are races. */
  const travel = async () => {
    for (let hops = Math.floor(chance() * 4); hops >= 0; hops--) await new Promise((done) => setImmediate(done))
  }
  let calls = 0
  const store: Store = {
    ...inner,
    async load(refs) {
      calls++
      await travel()
      const rows = await inner.load(refs)
      await travel()
      return rows
    },
    async list(...query) {
      calls++
      await travel()
      return inner.list(...query)
    },
    async commit(item) {
      calls++
      await travel()
      written.push(JSON.stringify(item))
      return inner.commit(item)
    },
  }
  return {
    store,
    environment: systemEnvironment(),
    now,
    advance: (ms) => {
      // Whole milliseconds, as clocks have them: a client's timer with jitter has fractions, which stores refuse.
      offset += Math.ceil(ms)
    },
    dump: () => written.join('\n'),
    calls: () => calls,
  }
}

/** The same chance in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const seconds = (count: number) => count * 1_000
export const minutes = (count: number) => count * 60_000
export const days = (count: number) => count * 86_400_000

export const SECRET = 'a secret that is at least thirty-two bytes long'
export const VAULT_KEY = { id: 'k1', key: new Uint8Array(32).fill(7) }

/** A door that a test opens. */
export function gate(): { passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((done) => {
    open = done
  })
  return { passed, open }
}
