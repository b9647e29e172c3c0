import type { BridgeDriver } from '@holdpoint/conformance/bridge'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { countedStore } from '../engine/cost/counted-store.ts'
import { ADA, person } from '../engine/support/world.ts'
import { driver as langchain } from './langchain/driver.ts'
import { driver as mcp } from './mcp/driver.ts'
import { driver as openAiAgents } from './openai-agents/driver.ts'
import { driver as aiSdk } from './support/ai-sdk-driver.ts'

/**
 * The question with the input of the call, the answer, the resume with its outcome, the result, and the deliveries to the
 * hooks. These limits only shrink. Loads are not limited, because some of them belong to timers.
 */
const LIMITS: readonly (readonly [name: string, driver: BridgeDriver, commits: number])[] = [
  ['the AI SDK', aiSdk, 9],
  ['MCP', mcp, 8],
  ['LangChain', langchain, 9],
  ['the OpenAI Agents SDK', openAiAgents, 9],
]

/** The host's whole step: the model calls a tool, the agent stops, the user approves, and the agent continues. */
test.each(LIMITS)('one approval through the bridge to %s stays within its commits', async (_name, driver, limit) => {
  const counted = countedStore({ ...memoryStore(), shared: true })
  const holdpoint = createHoldpoint({
    store: counted.store,
    waiting: 'suspend',
    hooks: { onSettled: () => {} },
    security: { vaultKeys: [{ id: '1', key: new Uint8Array(32) }] },
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
  await idle()
  counted.reset()
  const asked = await agent.begin([{ toolCallId: 'call-1', toolName: 'delete_files', input: { files: ['a', 'b'] } }])
  const human = person(holdpoint, driver.sessionId)
  await human.answer(await human.next(), { action: 'approve' })
  const ended = await agent.resume(asked.saved, 'approve')
  expect(ended.calls).toMatchObject({ 'call-1': { state: 'done', output: { deleted: ['a', 'b'] } } })
  await idle()
  if (process.env.HOLDPOINT_COST) console.info(driver.sessionId, counted.counts())
  expect(counted.counts().commits).toBeLessThanOrEqual(limit)
})
