import type { BridgeDriver } from '@holdpoint/conformance/bridge'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { countedStore } from '../engine/cost/counted-store.ts'
import { ADA, person } from '../engine/support/world.ts'
import { driver as claude } from './claude-agent-sdk/driver.ts'
import { driver as langchain } from './langchain/driver.ts'
import { driver as mcp } from './mcp/driver.ts'
import { driver as openAiAgents } from './openai-agents/driver.ts'
import { driver as aiSdk } from './support/ai-sdk-driver.ts'

/**
 * Commits: the question; the answer, and two for its notice; the begin of the call with the outcome; its end. The AI SDK and
 * LangChain write the turn of the message, the OpenAI Agents SDK and Claude the state of their run. Lists: the deliveries
 * that are due after the answer; the open questions of a turn, where the bridge follows or compares them. These limits only
 * shrink.
 */
const LIMITS: readonly (readonly [name: string, driver: BridgeDriver, commits: number, lists: number])[] = [
  ['the AI SDK', aiSdk, 7, 3],
  ['MCP', mcp, 6, 1],
  ['LangChain', langchain, 7, 1],
  ['the OpenAI Agents SDK', openAiAgents, 7, 2],
  ['the Claude Agent SDK', claude, 7, 1],
]

/** The host's whole step: the model calls a tool, the agent stops, the user approves, and the agent continues. */
test.each(LIMITS)('one approval through the bridge to %s stays within its counts', async (_name, driver, ...limits) => {
  const counted = countedStore({ ...memoryStore(), shared: true })
  const holdpoint = createHoldpoint({
    store: counted.store,
    waiting: 'suspend',
    hooks: { onSettled: () => {} },
    security: { vaultKeys: [{ id: '1', key: new Uint8Array(32) }] },
    environment: {
      // Neither polls nor heartbeats count, however busy the machine is.
      now: () => 0,
      setTimeout: (callback, ms) => (ms >= 900 ? undefined : setTimeout(callback, ms)),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    },
  })
  onTestFinished(() => holdpoint.close())
  const tool = {
    name: 'delete_files',
    description: 'Deletes files',
    input: z.object({ files: z.array(z.string()) }),
    approve: ({ files }: { files: string[] }) => ({ prompt: `Delete ${files.length} files?` }),
    execute: async ({ files }: { files: string[] }) => ({ deleted: files }),
  }
  const agent = await driver.open({ holdpoint, tools: [tool], ...ADA })
  onTestFinished(async () => await agent.close?.())
  const idle = () => counted.idle(() => true)
  // The first call starts what a process starts once.
  const warm = holdpoint.tool({ name: 'warm-up', input: z.object({}), execute: () => {} })
  await holdpoint.session('warm-up', ADA).runTool(warm, {}, { runId: 'run-1', toolCallId: 'call-1' })
  await person(holdpoint, 'warm-up').snapshot()
  await idle()
  counted.reset()
  const asked = await agent.begin([{ toolCallId: 'call-1', toolName: 'delete_files', input: { files: ['a', 'b'] } }])
  const request = JSON.parse(counted.events.find((text) => text.includes('"type":"interaction_request"')) ?? '{}')
  await person(holdpoint, driver.sessionId).answer(request, { action: 'approve' })
  const ended = await agent.resume(asked.saved, 'approve')
  expect(ended.calls).toMatchObject({ 'call-1': { state: 'done', output: { deleted: ['a', 'b'] } } })
  await idle()
  const { commits, lists } = counted.counts()
  if (process.env.HOLDPOINT_COST) console.info(driver.sessionId, counted.counts())
  expect([commits, lists].map((count, which) => count <= limits[which]!)).toEqual([true, true])
})
