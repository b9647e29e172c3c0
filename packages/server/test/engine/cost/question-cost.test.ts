import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { askAtGate } from '../../../src/bridges/handlers/ask-at-gate.ts'
import { engineOf } from '../../../src/http/mounted.ts'
import { ADA } from '../support/world.ts'
import { costNode, costOf, shownIn, within } from './cost-node.ts'
import { costSuite, type Limits } from './cost-suite.ts'
import { countedStore, type StoreCounts } from './counted-store.ts'
import { type Asks, deleting } from './deleting.ts'

const LIMITS: Limits<Asks> = {
  // Asked with the claim of the call; answered with the outcome; finished.
  'before execute': {
    oneProcess: { commits: 3, loads: 2, rows: 10, lists: 0, bytes: 4_640, parses: 4, stringifies: 14 },
    twoNodes: { commits: 4, loads: 3, rows: 13, lists: 0, bytes: 5_910, parses: 8, stringifies: 15 },
  },
  // The code before the question runs under a claim of its own.
  'in execute': {
    oneProcess: { commits: 4, loads: 3, rows: 14, lists: 0, bytes: 4_900, parses: 6, stringifies: 15 },
    twoNodes: { commits: 5, loads: 4, rows: 17, lists: 0, bytes: 6_170, parses: 10, stringifies: 16 },
  },
}

costSuite('the cost of one question of a registered tool that asks %s', LIMITS, deleting)

test('a driver that does not pass on its events, because its history may change, costs no more loads', async () => {
  const memory = memoryStore()
  const counted = countedStore({
    ...memory,
    subscribe: (listener) => memory.subscribe((partitions, _own, mine) => listener(partitions, new Map(), mine)),
  })
  const only = costNode(counted.store, deleting('before execute'))
  expect(within(await costOf(counted, only, only), LIMITS['before execute'].oneProcess)).toEqual([])
})

/** The code continues after the answer, the claim of the call, and the outcome of the question. */
test('a suspended call that is run again after its answer continues after three commits', async () => {
  // In suspend mode a store has to be one that others can see.
  const counted = countedStore({ ...memoryStore(), shared: true })
  let continueWith = (_counts: StoreCounts) => {}
  const continued = new Promise<StoreCounts>((resolve) => {
    continueWith = resolve
  })
  const holdpoint = createHoldpoint({ store: counted.store, waiting: 'suspend', hooks: { onToolResult: () => {} } })
  onTestFinished(() => holdpoint.close())
  const tool = holdpoint.tool({
    name: 'delete_files',
    input: z.object({}),
    async execute(_input, ctx) {
      await ctx.approve({ prompt: 'Delete 3 files?' })
      continueWith(counted.counts())
    },
  })
  const call = { runId: 'run-1', toolCallId: 'call-1' }
  const ran = await holdpoint.session('chat', ADA).runTool(tool, {}, call)
  const [interactionId = ''] = ran.status === 'suspended' ? ran.interactionIds : []
  const shown = shownIn(counted.events)()
  counted.reset()
  const answer = { clientId: 'tab', callId: call.toolCallId, interactionId, answerId: 'yes', shownDigest: shown }
  const message = { type: 'tool_interaction_response', action: 'approve', ...answer } as const
  expect(await engineOf(holdpoint).answer(ADA, 'chat', message)).toMatchObject({ status: 200 })
  const { commits, rows } = await continued
  expect(commits).toBeLessThanOrEqual(3)
  expect(rows).toBeLessThanOrEqual(15)
})

/** The answer, and the claim of the call with the outcome of its question. */
test('a call behind a gate continues after two commits', async () => {
  const counted = countedStore(memoryStore())
  const holdpoint = createHoldpoint({ store: counted.store, hooks: { onSettled: () => {} } })
  onTestFinished(() => holdpoint.close())
  const session = holdpoint.session('chat', ADA)
  const call = { runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' }
  const approval = { prompt: 'Delete 3 files?' }
  const { environment } = engineOf(holdpoint)
  const atGate = () => askAtGate(environment, session, { ...call, input: {} }, (gate) => gate.approve(approval))
  const tool = holdpoint.tool({
    name: 'delete_files',
    input: z.object({}),
    before: async (_input, ctx) => void (await ctx.approve(approval)),
    execute: () => counted.counts().commits,
  })
  const interactionId = (await atGate()) ?? ''
  const shown = shownIn(counted.events)()
  counted.reset()
  const answer = { clientId: 'tab', callId: call.toolCallId, interactionId, answerId: 'yes', shownDigest: shown }
  const message = { type: 'tool_interaction_response', action: 'approve', ...answer } as const
  expect(await engineOf(holdpoint).answer(ADA, 'chat', message)).toMatchObject({ status: 200 })
  expect(await atGate()).toBeUndefined()
  const ran = await session.runTool(tool, {}, call)
  expect((ran as { result: number }).result).toBeLessThanOrEqual(2)
})
