import { beforeAll, expect, test } from 'vitest'
import { MemoryPartitions } from './partitions.ts'

const OPERATIONS = 200
const ROUNDS = 15

interface Grown {
  store: MemoryPartitions
  sessions: number
}

/** Makes a store with one open question in each of its sessions. */
function grown(sessions: number): Grown {
  const store = new MemoryPartitions(() => 'epoch')
  for (let n = 0; n < sessions; n++) store.commit(question(n, 0))
  return { store, sessions }
}

let small: Grown
let large: Grown
beforeAll(() => {
  small = grown(100)
  large = grown(100_000)
})

const question = (n: number, expect: number) => ({
  partition: `s${n}`,
  puts: [{ kind: 'question', id: 'q', data: '{}', tags: ['user'], due: 1_000 + ((n + expect) % 7_919), expect }],
  events: ['{}'],
})

const operations: Record<string, (store: MemoryPartitions, session: number, version: number) => unknown> = {
  'a commit that moves a deadline': (store, session, version) => {
    if (!store.commit(question(session, version)).ok) throw new Error('no other process commits here')
  },
  'a read of a row': (store, session) => store.row({ partition: `s${session}`, kind: 'question', id: 'q' }),
  'a read of the rows of a session': (store, session) => store.list(`s${session}`, 'question', undefined, 20),
  'a page of a user': (store, session) => store.tagged('user', session, 20),
  'a page of what is due': (store) => store.due('question', 1_000, 20),
}

/** Returns the shortest time of many operations on sessions in no order, so that other work of the machine does not count. */
function shortest({ store, sessions }: Grown, perform: (typeof operations)[string]): number {
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const before = round * Math.ceil(OPERATIONS / sessions) + 1
    const start = performance.now()
    for (let n = 0; n < OPERATIONS; n++) perform(store, (n * 7_919) % sessions, before + Math.floor(n / sessions))
    return performance.now() - start
  })
  return Math.min(...times)
}

// Ratios within one run: 1,000 times the sessions make a linear operation cost hundreds of times as much. Measured were
// 1 to 5, because the large store exceeds the caches.
test.each(Object.entries(operations))(
  '%s costs in a store of 100,000 sessions at most 8 times what it costs in one of 100',
  (_name, perform) => {
    const cost = shortest(large, perform) / shortest(small, perform)
    expect(cost).toBeLessThan(8)
  },
)
