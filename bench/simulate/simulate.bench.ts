import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededBy } from '../soak/seeded.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import type { Run } from '../support/run.ts'
import { digits, median, quantile } from '../support/statistics.ts'
import { GroupCommit, Processor, Simulation } from './simulation.ts'

/**
 * What docs/scale.md says of a million clients and of a hundred million sessions, simulated with the service times that
 * the other benches measured: no machine here has twenty nodes. Each node is one processor, the database one group
 * commit. Only the cost of a notification is measured in this run. `HOLDPOINT_SEED` decides the arrivals.
 */
const SEED = Number(process.env.HOLDPOINT_SEED ?? 17)
const CLIENTS = 1_000_000
const COMMITS_A_SECOND = 10_000
/** The first retry of a client: between 0 and this, by chance (`core/client/connection.ts`). */
const RETRY_MS = 500
const QUESTIONS = 20_000
/** Of four commits, one has the question, one its answer and outcome, one the result; the first claims the call. */
const COMMITS = 4

const measured = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'measured.json'), 'utf8')) as Run
function figure(bench: string, id: string): number {
  const found = measured.benches.find((one) => one.bench === bench)?.results?.find((one) => one.id === id)
  if (!found) throw new Error(`measured.json has no "${id}" of ${bench}`)
  return found.value
}
function limitOf(bench: string, id: string): number {
  const found = measured.benches.find((one) => one.bench === bench)?.results?.find((one) => one.id === id)
  if (!found?.limit) throw new Error(`measured.json has no limit of "${id}" of ${bench}`)
  return found.limit.value
}

/** Processor time of one client that reconnects 200 events behind, in milliseconds. */
const reconnectMs = figure('fanout/storm', 'cpu-ms') / 1_000
/** Processor time of a question's whole life on a store that is not in the process's memory. */
const questionMs = figure('engine/whole-question', 'sqlite-cpu') / 1_000
/** One commit with its flush, and what one more in the same group takes. */
const flushMs = limitOf('answer/in-process', 'sqlite-p50-ms')
const databaseRate = figure('store/postgres-append', 'rate')
const eachMs = 1_000 / databaseRate

/** A notification as Postgres sends it: the author and the partitions, as many as 8 KB hold. */
function notification() {
  const names = Array.from({ length: 200 }, (_, n) => `s//session-${String(n).padStart(20, '0')}-of-a-user`)
  const payload = JSON.stringify(['author', ...names])
  const watched = new Map(Array.from({ length: 50_000 }, (_, n) => [`s//watched-${n}`, n]))
  let found = 0
  const once = () => {
    for (const name of JSON.parse(payload) as string[]) if (watched.has(name)) found++
  }
  for (let n = 0; n < 2_000; n++) once()
  const rounds = 2_000
  const began = process.cpuUsage()
  for (let n = 0; n < rounds; n++) once()
  const { user, system } = process.cpuUsage(began)
  if (found > 0) throw new Error('no session of this list is watched')
  return { bytes: payload.length / names.length, micros: (user + system) / rounds / names.length }
}

/** One of the nodes ends: its clients reconnect to the others, which receive the notifications of all commits meanwhile. */
function reconnects(nodes: number, wakeMs: number) {
  const simulation = new Simulation()
  const random = seededBy(SEED, `reconnects ${nodes}`)
  const others = Array.from({ length: nodes - 1 }, () => new Processor(simulation))
  const took: number[] = []
  for (let client = 0; client < CLIENTS / nodes; client++) {
    const node = others[Math.floor(random() * others.length)] as Processor
    simulation.after(random() * RETRY_MS, () => {
      const arrived = simulation.now
      node.work(reconnectMs, () => took.push(simulation.now - arrived))
    })
  }
  // Each node receives them in packets of 200 sessions.
  const every = (200 / COMMITS_A_SECOND) * 1_000
  for (const node of others) {
    for (let at = random() * every; at < RETRY_MS; at += every) {
      simulation.after(at, () => node.work(wakeMs * 200, () => {}))
    }
  }
  simulation.run()
  const share = (CLIENTS / nodes / (nodes - 1)) * (reconnectMs / RETRY_MS) + (wakeMs * COMMITS_A_SECOND) / 1_000
  return { p50: median(took), p99: quantile(took, 0.99), share }
}

/** Questions arrive by chance at a share of what one node can do; the time from the answer to the tool that continues. */
function answers(share: number, nodes: number, wakeMs: number) {
  const simulation = new Simulation()
  const random = seededBy(SEED, `answers ${share} ${nodes}`)
  const processor = new Processor(simulation)
  const store = new GroupCommit(simulation, { flushMs, eachMs })
  // The node's own commits wake every node, its own included.
  const rate = share / (questionMs + COMMITS * nodes * wakeMs)
  const took: number[] = []
  const step = (after: () => void) => processor.work(questionMs / COMMITS, () => store.commit(after))
  let at = 0
  for (let n = 0; n < QUESTIONS; n++) {
    at += -Math.log(1 - random()) / rate
    simulation.after(at, () => step(() => step(() => {})))
    // A person answers after a while that has nothing to do with the load.
    simulation.after(at + 1_000 + random() * 1_000, () => {
      const answered = simulation.now
      step(() => {
        took.push(simulation.now - answered)
        step(() => {})
      })
    })
  }
  for (let n = 0; n < QUESTIONS * COMMITS; n++) {
    simulation.after(random() * at, () => processor.work(wakeMs * nodes, () => {}))
  }
  simulation.run()
  const steady = took.slice(Math.floor(took.length / 10))
  return { aSecond: rate * 1_000, p50: median(steady), p99: quantile(steady, 0.99) }
}

const { bytes, micros } = notification()
const wakeMs = micros / 1_000
const NODES = [20, 200] as const
const waves = NODES.map((nodes) => ({ nodes, ...reconnects(nodes, wakeMs) }))
const loads = NODES.flatMap((nodes) =>
  [0.25, 0.5, 0.75, 0.9].map((share) => ({ nodes, share, ...answers(share, nodes, wakeMs) })),
)
const results: Result[] = [
  {
    id: 'wake-micros',
    scenario: 'a notification about a session without readers on the node',
    figure: 'processor time for each commit of another node',
    unit: 'µs',
    better: 'lower',
    value: micros,
  },
  ...NODES.map(
    (nodes): Result => ({
      id: `wake-share-${nodes}`,
      scenario: `simulated: ${nodes} nodes, ${COMMITS_A_SECOND.toLocaleString('en-US')} commits a second in all`,
      figure: 'notifications, bytes a second in all',
      unit: 'MB',
      better: 'lower',
      value: (nodes * COMMITS_A_SECOND * bytes) / 1e6,
    }),
  ),
  ...waves.map(
    ({ nodes, p99 }): Result => ({
      id: `reconnect-${nodes}`,
      scenario: `simulated: a million clients on ${nodes} nodes, one node ends`,
      figure: 'reconnect → answered by another node, p99',
      unit: 'ms',
      better: 'lower',
      value: p99,
    }),
  ),
  ...loads
    .filter(({ share }) => share === 0.75)
    .map(
      ({ nodes, p99 }): Result => ({
        id: `load-75-${nodes}`,
        scenario: `simulated: one of ${nodes} nodes at 75 % of its maximum rate`,
        figure: 'answer → tool continues, p99',
        unit: 'ms',
        better: 'lower',
        value: p99,
      }),
    ),
]
report({
  about: `seed ${SEED}; reconnect ${digits(reconnectMs * 1_000)} µs, question ${digits(questionMs * 1_000)} µs, flush ${digits(flushMs)} ms, each commit of a group ${digits(eachMs * 1_000)} µs`,
  results,
  rows: {
    'one node ends': waves.map(({ nodes, p50, p99, share }) => ({
      nodes,
      'clients of each': CLIENTS / nodes,
      'busy meanwhile, %': digits(share * 100),
      'p50 ms': digits(p50),
      'p99 ms': digits(p99),
    })),
    'answer → tool continues on one node': loads.map(({ nodes, share, aSecond, p50, p99 }) => ({
      nodes,
      'of its maximum, %': share * 100,
      'questions a second': Math.round(aSecond),
      'all nodes, a second': Math.round(aSecond * nodes),
      'Postgres databases': Math.ceil((aSecond * nodes * COMMITS) / databaseRate),
      'p50 ms': digits(p50),
      'p99 ms': digits(p99),
    })),
    notifications: NODES.map((nodes) => ({
      nodes,
      'KB a second at each': digits((COMMITS_A_SECOND * bytes) / 1_000),
      'MB a second in all': digits((nodes * COMMITS_A_SECOND * bytes) / 1e6),
      'of one processor, %': digits((micros * COMMITS_A_SECOND) / 1e4),
    })),
  },
})
process.exit(0)
