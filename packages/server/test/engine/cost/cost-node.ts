import type { ApprovalScope } from '@holdpoint/core'
import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint, type Tool } from '@holdpoint/server'
import type { Store } from '@holdpoint/server/store'
import { expect, onTestFinished } from 'vitest'
import { engineOf } from '../../../src/http/mounted.ts'
import { ADA } from '../support/world.ts'
import { countJson } from './counted-json.ts'
import type { CountedStore, StoreCounts } from './counted-store.ts'

export interface Cost extends StoreCounts {
  parses: number
  stringifies: number
}

/** Runs what is counted, in a session that is new. */
export type Life = (sessionId: string, asking: CostNode, answering: CostNode, shown: () => string) => Promise<void>

/**
 * Returns the cost of the second life, in a session of its own, because the first one starts everything that a process
 * starts once. HOLDPOINT_COST=1 prints it.
 */
export async function costOf(
  counted: CountedStore,
  asking: CostNode,
  answering: CostNode,
  life: Life = question,
): Promise<Cost> {
  const idle = () => counted.idle(() => asking.timers.size + answering.timers.size === 0)
  await life('warm-up', asking, answering, shownIn(counted.events))
  await idle()
  counted.reset()
  const { parses, stringifies } = await countJson(async (uncounted) => {
    await life('chat', asking, answering, () => uncounted(shownIn(counted.events)))
    await idle()
  })
  const cost = { ...counted.counts(), parses, stringifies }
  if (process.env.HOLDPOINT_COST) console.info(cost)
  return cost
}

/** Returns the values that exceed their limits. */
export function within(cost: Cost, limit: Cost): string[] {
  const names = Object.keys(limit) as (keyof Cost)[]
  return names.filter((name) => cost[name] > limit[name]).map((name) => `${cost[name]} ${name}, at most ${limit[name]}`)
}

/** The request of the latest question, as it was committed. */
export const shownIn = (events: readonly string[]) => () => {
  const text = events.findLast((one) => one.includes('"type":"interaction_request"'))
  return shownDigest(JSON.parse(text ?? '{}'))
}

export type CostNode = ReturnType<typeof costNode>

interface Call {
  runId: string
  toolCallId: string
}

/** A tool that asks one question, and its input. */
export interface CostTool<Input> {
  tool(holdpoint: Holdpoint): Tool<Input, unknown, Input>
  input: NoInfer<Input>
}

/** A process whose tool asks one question. Timers of a second or more never fire, so neither polls nor heartbeats count. */
export function costNode<Input>(store: Store, { tool: toolOf, input }: CostTool<Input>) {
  const asked = new Map<string, (interactionId: string) => void>()
  const timers = new Set<unknown>()
  const holdpoint = createHoldpoint({
    // One node that is closed must not close the store for the other.
    store: { ...store, close: async () => {} },
    environment: {
      // Nothing becomes due by a machine that is busy with others.
      now: () => 0,
      setTimeout(callback, ms) {
        if (ms >= 900) return undefined
        const timer = setTimeout(() => {
          timers.delete(timer)
          callback()
        }, ms)
        timers.add(timer)
        return timer
      },
      clearTimeout(timer) {
        timers.delete(timer)
        clearTimeout(timer as NodeJS.Timeout)
      },
    },
    hooks: {
      onEvent(event) {
        if (event.type === 'asked') asked.get(event.sessionId)?.(event.interactionId)
      },
    },
  })
  onTestFinished(() => holdpoint.close())
  const tool = toolOf(holdpoint)
  const run = (sessionId: string, call: Call) => holdpoint.session(sessionId, ADA).runTool(tool, input, call)
  return { holdpoint, asked, timers, run }
}

/** One node asks and finishes, one approves. */
export async function question(
  sessionId: string,
  asking: CostNode,
  answering: CostNode,
  shown: () => string,
  approvalScope?: ApprovalScope,
): Promise<void> {
  const asked = new Promise<string>((resolve) => asking.asked.set(sessionId, resolve))
  const call = callOf(sessionId)
  const ran = asking.run(sessionId, call)
  const reply = await engineOf(answering.holdpoint).answer(ADA, sessionId, {
    type: 'tool_interaction_response',
    clientId: 'tab',
    callId: call.toolCallId,
    interactionId: await asked,
    answerId: `answer-${sessionId}`,
    action: 'approve',
    ...(approvalScope && { approvalScope }),
    shownDigest: shown(),
  })
  expect(reply.status).toBe(200)
  expect(await ran).toMatchObject({ status: 'completed' })
}

export const callOf = (sessionId: string): Call => ({ runId: 'run-1', toolCallId: `call-${sessionId}` })
