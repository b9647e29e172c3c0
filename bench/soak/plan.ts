import { seeded } from '@holdpoint/conformance/seeded'
import { oneOf } from './seeded.ts'

export const FAULTS = [
  'kill',
  'stop',
  'store',
  'stall',
  'clock forward',
  'clock back',
  'cut from clients',
  'cut from store',
] as const
export type FaultType = (typeof FAULTS)[number]

/** Something goes wrong at `at`, for `ms`. */
export interface Fault {
  at: number
  ms: number
  type: FaultType
  /** Which of the nodes it happens to. */
  node: number
  /** How far a clock jumps, or how a store is stopped: 0 to 1. */
  chance: number
}

const FIRST_MS = 2_000
/** So long before the end nothing new goes wrong. */
const LAST_MS = 2_000

/**
 * The schedule of faults: the same for the same seed. Each type occurs once before any occurs twice, and they overlap.
 * The last node is never killed, so that one process is as old as the run when its memory is measured.
 */
export function planFaults(setup: {
  seed: number
  ms: number
  nodes: number
  leaseMs: number
  types: readonly FaultType[]
}): Fault[] {
  const { ms, nodes, leaseMs, types } = setup
  const random = seeded(setup.seed)
  const faults: Fault[] = []
  let bag: FaultType[] = []
  // In a short run all of them come, too.
  const pause = Math.min(5_000, (ms - FIRST_MS - LAST_MS) / types.length)
  for (let from = FIRST_MS; from + pause <= ms - LAST_MS + 1; from += pause) {
    if (bag.length === 0) bag = [...types]
    const type = oneOf(bag, random())
    bag.splice(bag.indexOf(type), 1)
    const node = Math.floor(random() * (type === 'kill' && nodes > 1 ? nodes - 1 : nodes))
    const at = Math.round(from + random() * pause)
    faults.push({ at, ms: Math.round(lengthOf(type, leaseMs, random())), type, node, chance: random() })
  }
  return faults
}

function lengthOf(type: FaultType, leaseMs: number, chance: number): number {
  switch (type) {
    case 'kill':
      return 100 + chance * 2 * leaseMs
    case 'stop':
    case 'cut from clients':
    case 'cut from store':
      // Often past the lease, and sometimes not.
      return leaseMs * (0.5 + chance * 2.5)
    case 'store':
      return 200 + chance * 3_000
    case 'stall':
      return 4_000 + chance * 6_000
    default:
      return 1_000 + chance * 6_000
  }
}
