import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { Cluster } from './cluster.ts'
import type { Load } from './load.ts'
import type { ClientsOrder } from './messages.ts'
import type { Network, Side } from './network.ts'
import type { OwnStore } from './own-store.ts'
import type { Fault } from './plan.ts'
import { oneOf } from './seeded.ts'

export interface World {
  cluster: Cluster
  network: Network
  store: OwnStore
  clients: Child<ClientsOrder>
  load: Load
}

/** As far as a clock is off. */
const JUMP_MS = { from: 3_000, to: 60_000 }
/** More than a reader may leave in the server, and than the kernel takes for it. */
const FLOOD = { size: 32 * 1024, times: 40 }

/** Lets everything go wrong as planned. Resolves when it is all well again. */
export async function doFaults(plan: readonly Fault[], world: World, log: (line: string) => void): Promise<void> {
  const busy = new Set<string>()
  const run = async (fault: Fault, key: string, work: () => Promise<void>) => {
    // A target that already has a fault gets no second one.
    if (busy.has(key)) return
    busy.add(key)
    log(`${fault.type}${key.startsWith('store') ? '' : ` at node ${fault.node}`}, ${Math.round(fault.ms)} ms`)
    await work().catch((error: unknown) => log(`${fault.type} failed: ${error}`))
    busy.delete(key)
  }
  await Promise.all(
    plan.map(async (fault) => {
      await sleep(fault.at)
      await run(fault, placeOf(fault), () => carryOut(fault, world))
    }),
  )
}

/** Two faults at one place would undo each other. */
function placeOf({ type, node }: Fault): string {
  if (type === 'store' || type === 'stall') return `store ${type}`
  if (type === 'kill' || type === 'stop') return `process ${node}`
  return `${type.startsWith('clock') ? 'clock' : type} ${node}`
}

async function carryOut(fault: Fault, world: World): Promise<void> {
  const { type, node, ms, chance } = fault
  const { cluster, store } = world
  switch (type) {
    case 'kill':
      return await cluster.kill(node, ms)
    case 'stop':
      return await cluster.stop(node, ms)
    case 'store':
      return await store.fail(ms, chance)
    case 'stall':
      return await stall(fault, world)
    case 'cut from clients':
      return await cut('clients', fault, world)
    case 'cut from store':
      return await cut('store', fault, world)
    case 'clock forward':
    case 'clock back': {
      const far = JUMP_MS.from + chance * (JUMP_MS.to - JUMP_MS.from)
      // A node that dies meanwhile starts with a clock that is right.
      const child = cluster.of(node)
      const jump = (offsetMs: number) => void child.do({ type: 'clock', offsetMs }).catch(() => {})
      jump(type === 'clock forward' ? far : -far)
      await sleep(ms)
      jump(0)
    }
  }
}

async function cut(side: Side, { node, ms }: Fault, { network }: World): Promise<void> {
  network.wires[node]?.cut(side)
  await sleep(ms)
  network.wires[node]?.heal(side)
}

/** Readers that do not read, of a session with many events. */
async function stall({ ms, chance }: Fault, { load, clients }: World): Promise<void> {
  const live = [...load.live]
  if (live.length === 0) return
  const place = oneOf(live, chance)
  const stalled = clients.do({ type: 'stall', ...place, readers: 4, ms })
  await Promise.all([stalled, load.tryEmit(place, FLOOD)])
}
