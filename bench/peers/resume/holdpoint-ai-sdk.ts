import { aiSdk } from '@holdpoint/server/ai-sdk'
import { generateText, jsonSchema, type ModelMessage, type ToolApprovalResponse, tool } from 'ai'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { model } from './ai-sdk.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { PROMPT, type ResumePeer } from './peer.ts'

/**
 * The AI SDK with Holdpoint's bridge: as in `ai-sdk.ts` nothing waits in a process, and the second request runs the tool.
 * Every tab answers, and sends the messages again whatever it was told.
 */
export function holdpointAiSdkPeer(place: Place): ResumePeer {
  const { holdpoint, expecting, commits, close } = bridged(place)
  return {
    name: `Holdpoint with ai ${versionOf('ai')}`,
    bridges: 'ai',
    commits,
    store: nameOf(place),
    async ask(effect) {
      const id = crypto.randomUUID()
      const request = () => {
        const hp = aiSdk(holdpoint, { sessionId: id, userId: 'ada', runId: id, mode: 'suspend' })
        const tools = {
          deleteFiles: tool({
            inputSchema: jsonSchema<{ files: string[] }>({ type: 'object', properties: { files: { type: 'array' } } }),
            needsApproval: true,
            execute: async ({ files }) => {
              effect()
              return { deleted: files.length }
            },
          }),
        }
        return { model: model(), tools: hp.tools(tools), toolApproval: hp.toolApproval }
      }
      const messages: ModelMessage[] = [{ role: 'user', content: PROMPT }]
      const approvals: ToolApprovalResponse[] = []
      const answer = await expecting(id, async () => {
        const first = await generateText({ ...request(), messages })
        messages.push(...first.responseMessages)
        for (const part of first.content) {
          if (part.type !== 'tool-approval-request') continue
          approvals.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved: true })
        }
      })
      return async (tab) => {
        const counts = await answer(tab)
        await generateText({ ...request(), messages: [...messages, { role: 'tool', content: approvals }] })
        counts()
      }
    },
    close,
  }
}
