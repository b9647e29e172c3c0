import { generateText, jsonSchema, type ModelMessage, type ToolApprovalResponse, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { versionOf } from '../../support/report.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** Calls the tool when it is spoken to, and thanks when the tool has run. */
export const model = () =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const asked = prompt.at(-1)?.role === 'user'
      const call = { toolCallId: 'call-1', toolName: 'deleteFiles', input: JSON.stringify({ files: FILES }) }
      return {
        content: asked ? [{ type: 'tool-call', ...call }] : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: asked ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })

/**
 * "Tool Execution Approval" of the AI SDK's documents, as `generateText` does it: the first call ends with a request,
 * the answer is one more message, and the second call runs the tool. The messages are the state, and the host keeps
 * them; here they stay in memory, which costs nothing.
 */
export function aiSdkPeer(): ResumePeer {
  return {
    name: 'ai',
    version: versionOf('ai'),
    store: "the host's messages",
    note: 'the messages are the state: keeping them, and running a call once, is the host’s',
    async ask(effect) {
      const settings = {
        model: model(),
        tools: {
          deleteFiles: tool({
            inputSchema: jsonSchema<{ files: string[] }>({ type: 'object', properties: { files: { type: 'array' } } }),
            execute: async ({ files }) => {
              effect()
              return { deleted: files.length }
            },
          }),
        },
        toolApproval: { deleteFiles: 'user-approval' as const },
      }
      const messages: ModelMessage[] = [{ role: 'user', content: PROMPT }]
      const first = await generateText({ ...settings, messages })
      messages.push(...first.responseMessages)
      const approvals = first.content.flatMap((part): ToolApprovalResponse[] =>
        part.type === 'tool-approval-request' && !part.isAutomatic
          ? [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }]
          : [],
      )
      return async () =>
        await generateText({ ...settings, messages: [...messages, { role: 'tool', content: approvals }] })
    },
  }
}
