import { memoryStore } from '@holdpoint/server/memory'
import { describe, expect, test } from 'vitest'
import { type Cost, type CostTool, costNode, costOf, type Life, within } from './cost-node.ts'
import { countedStore } from './counted-store.ts'

/** These limits only shrink. A change that needs more of something says in its commit what that is for. */
export type Limits<Mode extends string> = Record<Mode, { oneProcess: Cost; twoNodes: Cost }>

/** Tests that one call of a tool stays within its limits, in one process and on two nodes, in each mode. */
export function costSuite<Mode extends string, Input>(
  title: string,
  limits: Limits<Mode>,
  toolOf: (mode: Mode) => CostTool<Input>,
  life?: Life,
): void {
  describe.each(Object.keys(limits) as Mode[])(title, (mode) => {
    const start = () => {
      const counted = countedStore(memoryStore())
      return { counted, node: () => costNode(counted.store, toolOf(mode)) }
    }

    test('asked and answered in one process stays within its counts', async () => {
      const { counted, node } = start()
      const only = node()
      expect(within(await costOf(counted, only, only, life), limits[mode].oneProcess)).toEqual([])
    })

    test('asked on one node and answered on another stays within its counts', async () => {
      const { counted, node } = start()
      expect(within(await costOf(counted, node(), node(), life), limits[mode].twoNodes)).toEqual([])
    })
  })
}
