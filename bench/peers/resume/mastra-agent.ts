import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { Mastra } from '@mastra/core/mastra'
import { RequestContext } from '@mastra/core/request-context'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import { model } from './ai-sdk.ts'
import { type MastraKept, mastraStorage } from './mastra-storage.ts'
import { PROMPT, type ResumePeer } from './peer.ts'

/**
 * "Human-in-the-loop" of Mastra's agents: a tool with `requireApproval`, `generate()`, and `approveToolCallGenerate()`
 * with the run's id. With two nodes, tabs take turns between two instances over one file.
 */
export function mastraAgentPeer(kept: MastraKept, nodes = 1): ResumePeer {
  const storage = mastraStorage(kept, nodes)
  const effects = new Map<string, () => void>()
  const agents = Array.from({ length: nodes }, (_, n) => {
    const deleteFiles = createTool({
      id: 'deleteFiles',
      description: 'Deletes files',
      inputSchema: z.object({ files: z.array(z.string()) }),
      outputSchema: z.object({ deleted: z.number() }),
      requireApproval: true,
      execute: async ({ files }, { requestContext }) => {
        effects.get(String(requestContext?.get('question')))?.()
        return { deleted: files.length }
      },
    })
    const cleaner = new Agent({
      id: 'cleaner',
      name: 'Cleaner',
      instructions: 'Delete what you are told to.',
      // The same interface, of two releases of @ai-sdk/provider.
      model: model() as MastraModelConfig,
      tools: { deleteFiles },
    })
    return new Mastra({ agents: { cleaner }, storage: storage.make(`storage-${n}`), logger: false }).getAgent('cleaner')
  })
  return {
    name: '@mastra/core agent',
    version: versionOf('@mastra/core'),
    store: storage.store,
    note: 'its documents show a hook of the host that uses an approval up; snapshots go when a run ends',
    async ask(effect) {
      const question = crypto.randomUUID()
      effects.set(question, effect)
      const requestContext = new RequestContext([['question', question]])
      const { finishReason, runId = '', suspendPayload } = await agents[0]!.generate(PROMPT, { requestContext })
      if (finishReason !== 'suspended') throw new Error(`Mastra did not ask: ${finishReason}`)
      const { toolCallId } = suspendPayload
      return async (tab) => await agents[tab % nodes]!.approveToolCallGenerate({ runId, toolCallId, requestContext })
    },
    close: storage.close,
  }
}
