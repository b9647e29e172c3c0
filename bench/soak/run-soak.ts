import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '@holdpoint/conformance/seeded'
import { storeAt } from '../support/stores.ts'
import { check } from './check.ts'
import { startChild } from './child.ts'
import { Cluster } from './cluster.ts'
import { type Held, type Trend, trends, watch } from './curves.ts'
import { doFaults } from './do-faults.ts'
import { type History, readSession, type SessionLog, type Violation } from './history.ts'
import { JournalReader } from './journal.ts'
import { Load } from './load.ts'
import type { ClientNote, ClientsOrder } from './messages.ts'
import { makeNetwork } from './network.ts'
import { ownStore, type StoreKind } from './own-store.ts'
import { FAULTS, type FaultType, planFaults } from './plan.ts'

export interface SoakOptions {
  seed: number
  /** How long things go wrong; a while of peace follows, in which all must end. */
  ms: number
  store: StoreKind
  /** The types of faults. @default all possible ones */
  faults?: readonly FaultType[]
  /** Flags of Node for the processes; `--expose-gc` among them, or memory is not what is held. */
  execArgv: readonly string[]
  log?: (line: string) => void
}

export interface SoakReport {
  seed: number
  store: StoreKind
  network: string
  counts: Record<string, number>
  faults: Record<string, number>
  violations: Violation[]
  held: Held[]
  trends: Trend[]
}

const NODES = 3
const LEASE_MS = 1_500
/** In peace, everything must have ended after this. */
const PEACE_MS = 120_000
/**
 * Reports the second half of lives that are this long. It is judged if the first half was long enough to fill all
 * caches.
 */
const TOLD_S = 30
const JUDGED_S = 120

/** Nodes, people and agents under load, while what can go wrong goes wrong; then everything is compared. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seed, ms, execArgv, log = () => {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-soak-'))
  const [nodesFile, clientsFile] = [join(folder, 'nodes.log'), join(folder, 'clients.log')]
  for (const file of [nodesFile, clientsFile]) writeFileSync(file, '')
  const network = await makeNetwork(NODES)
  const store = await ownStore(options.store, folder, network.storeHosts)
  const cluster = new Cluster(execArgv)
  const clients = startChild<ClientsOrder>('clients-process.ts', { journal: clientsFile, seed }, { execArgv })
  log(`${options.store}, seed ${seed}, ${Math.round(ms / 1_000)} s; ${network.how}`)
  try {
    await cluster.start(network, store, { journal: nodesFile, leaseMs: LEASE_MS })
    await clients.ready
    await clients.do({ type: 'nodes', urls: network.wires.map(({ url }) => url) })
    const load = new Load({ cluster, clients, random: seeded(seed + 1) }, nodesFile)
    const { faults = FAULTS } = options
    const types = faults.filter((type) => type !== 'cut from store' || options.store !== 'sqlite')
    const plan = planFaults({ seed, ms, nodes: NODES, leaseMs: LEASE_MS, types })
    const curves = watch(cluster, clients, Math.max(1_000, ms / 200))
    const broken: Violation[] = []
    const done = load.run().catch((error: Error) => {
      broken.push({ rule: 'processes live', what: `the load came to an early end: ${error.message}` })
    })
    await Promise.all([doFaults(plan, { cluster, network, store, clients, load }, log), sleep(ms)])
    const held = await curves.stop()
    load.stop()
    log('peace')
    await Promise.race([done, sleep(PEACE_MS, undefined, { ref: false })])

    const reader = new JournalReader<ClientNote>(clientsFile)
    const logs = storeAt(store.place({ host: '127.0.0.1', port: store.port }))
    await logs.open()
    const heard: ClientNote[] = []
    const look = async (): Promise<History> => {
      const sessions = new Map<string, SessionLog>()
      for (const { sessionId } of load.sessions) sessions.set(sessionId, await readSession(logs, sessionId))
      load.look()
      // One by one: after half an hour they are more than a call can take as arguments.
      for (const note of reader.next()) heard.push(note)
      return { now: Date.now(), sessions, tasks: load.tasks, nodes: load.notes, clients: heard }
    }
    let history = await look()
    let violations = check(history)
    // Events that are only delayed arrive, and real violations remain.
    for (const end = Date.now() + PEACE_MS; violations.length > 0 && Date.now() < end; violations = check(history)) {
      await sleep(3_000)
      history = await look()
    }
    await logs.close()
    reader.close()
    const told = held.flatMap(trends).filter(({ seconds }) => seconds >= TOLD_S)
    return {
      ...{ seed, store: options.store, network: network.how, held, trends: told },
      counts: countsOf(history),
      faults: Object.fromEntries(FAULTS.map((type) => [type, plan.filter((fault) => fault.type === type).length])),
      violations: [
        ...violations,
        ...cluster.crashes,
        ...broken,
        ...told
          .filter(({ flat, seconds }) => !flat && seconds >= JUDGED_S)
          .map(({ name, figure, rise, limit }) => ({
            rule: 'curves are flat',
            what: `${figure} of ${name} rose by ${rise.toFixed(1)}, more than ${limit.toFixed(1)}`,
          })),
      ],
    }
  } finally {
    await cluster.dispose()
    await clients.kill()
    await store.dispose()
    network.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

function countsOf({ sessions, tasks, nodes, clients }: History): Record<string, number> {
  const noted = (list: readonly (readonly unknown[])[], what: string) => list.filter(([first]) => first === what).length
  return {
    sessions: sessions.size,
    tasks: tasks.length,
    events: [...sessions.values()].reduce((sum, { events }) => sum + events.length, 0),
    'answers accepted': noted(clients, 'accepted'),
    'answers too late': noted(clients, 'lost'),
    effects: noted(nodes, 'effect'),
    deliveries: noted(nodes, 'delivered'),
    'follow-ups': noted(nodes, 'follow-up'),
    'client lives': noted(clients, 'life'),
    'events seen': noted(clients, 'event'),
    resets: noted(clients, 'reset'),
  }
}
