import { createHoldpoint } from '@holdpoint/server'
import { aiSdk } from '@holdpoint/server/ai-sdk'
import { generateText, jsonSchema, type ModelMessage, type ToolApprovalResponse, tool } from 'ai'
import { engineOf } from '../../support/engine.ts'
import { person } from '../../support/person.ts'
import { versionOf } from '../../support/report.ts'
import { type Place, storeAt } from '../../support/stores.ts'
import { model } from './ai-sdk.ts'
import { nameOf } from './holdpoint.ts'
import { PROMPT, type ResumePeer } from './peer.ts'

/**
 * The AI SDK with Holdpoint's bridge: as in `ai-sdk.ts` nothing waits in a process, and the second request runs the tool.
 * Every tab answers, and sends the messages again whatever it was told.
 */
export function holdpointAiSdkPeer(place: Place): ResumePeer {
  const ada = person()
  const holdpoint = createHoldpoint({ store: storeAt(place), hooks: { onEvent: ada.onEvent } })
  return {
    name: `Holdpoint with ai ${versionOf('ai')}`,
    bridges: 'ai',
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
      const asked = ada.question(holdpoint, id, 'call-1')
      const first = await generateText({ ...request(), messages })
      messages.push(...first.responseMessages)
      const approvals = first.content.flatMap((part): ToolApprovalResponse[] =>
        part.type === 'tool-approval-request'
          ? [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }]
          : [],
      )
      const message = ada.message(await asked)
      return async (tab) => {
        const given = { ...message, clientId: `tab-${tab}`, answerId: `${id}-${tab}` }
        const { status, body } = await engineOf(holdpoint).answer({ userId: 'ada' }, id, given)
        await generateText({ ...request(), messages: [...messages, { role: 'tool', content: approvals }] })
        if (status !== 200) throw new Error(JSON.stringify(body))
      }
    },
    close: async () => await holdpoint.close(),
  }
}
