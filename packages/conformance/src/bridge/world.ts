import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { type TestHuman, testAccounts, testClock, testHuman } from '@holdpoint/server/testing'
import { onTestFinished } from 'vitest'
import type { BridgeCall, BridgeDriver, BridgedAgent, Stop } from './driver.ts'
import { type Place, storesAt } from './places.ts'
import { bridgeTools, type Ran } from './tools.ts'

const timing = { orphanAfterMs: 3_600_000, presenceGraceMs: 30 }

/** The usual leases: a short one would end while fifty resume at once on a busy machine, and a tool would run again. */
export const BRIDGE_OPTIONS: HoldpointOptions = {
  timing,
  security: { vaultKeys: [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }] },
}

/** A short lease, so that another process soon takes over what a killed one ran. */
export const KILLED_OPTIONS: HoldpointOptions = { ...BRIDGE_OPTIONS, timing: { ...timing, leaseMs: 1_000 } }

export const OWNER = 'ada'

/** One process of the framework, on the store that all of them share. */
export interface BridgeNode {
  holdpoint: Holdpoint
  agent: BridgedAgent
  human: TestHuman
}

/** The context of a row. */
export interface BridgeWorld {
  /** Every execution of a tool, in all nodes of this process. */
  readonly ran: Ran[]
  node(userId?: string): Promise<BridgeNode>
  /** A node that has asked the questions of these calls. */
  asked(...calls: BridgeCall[]): Promise<BridgeNode & { stop: Stop }>
}

/** Opens nodes on one store. They are closed after the test. */
export function bridgeWorld(driver: BridgeDriver, place: Place): BridgeWorld {
  const ran: Ran[] = []
  const accounts = testAccounts()
  const store = storesAt(place)
  const self: BridgeWorld = {
    ran,
    async node(userId = OWNER) {
      const holdpoint = createHoldpoint({ ...BRIDGE_OPTIONS, store: store(), accounts })
      onTestFinished(() => holdpoint.close())
      const agent = await driver.open({ holdpoint, tools: bridgeTools((one) => ran.push(one)), userId })
      onTestFinished(() => agent.close?.())
      return { holdpoint, agent, human: testHuman(holdpoint, { userId, accounts }) }
    },
    async asked(...calls) {
      const node = await self.node()
      return { ...node, stop: await node.agent.begin(calls) }
    },
  }
  return self
}

/** One node whose time the test moves. */
export async function clockedWorld(driver: BridgeDriver) {
  const ran: Ran[] = []
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const holdpoint = createHoldpoint({ ...BRIDGE_OPTIONS, store, environment: clock.environment })
  onTestFinished(() => holdpoint.close())
  const agent = await driver.open({ holdpoint, tools: bridgeTools((one) => ran.push(one)), userId: OWNER })
  onTestFinished(() => agent.close?.())
  return { ran, clock, holdpoint, agent, human: testHuman(holdpoint, { userId: OWNER }) }
}
