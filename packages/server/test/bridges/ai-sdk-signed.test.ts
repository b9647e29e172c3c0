import { generateText, jsonSchema, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'

/** What docs/comparison.md says of the AI SDK alone. */
test('the AI SDK alone runs a tool three times for a signed approval that is sent three times, and never for an unsigned one', async () => {
  let ran = 0
  const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } }
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }: { prompt: { role: string }[] }) => ({
      ...{ usage, warnings: [], finishReason: { unified: 'stop', raw: undefined } },
      content:
        prompt.at(-1)?.role === 'user'
          ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'remove', input: '{}' }]
          : [{ type: 'text', text: 'done' }],
    }),
  } as never)
  const tools = {
    remove: tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      needsApproval: true,
      execute: () => `${++ran}`,
    }),
  }
  const request = { model, tools, experimental_toolApprovalSecret: 'a secret of at least thirty-two characters' }
  const messages: ModelMessage[] = [{ role: 'user', content: 'clean up' }]
  const first = await generateText({ ...request, messages })
  const part = first.content.find(({ type }) => type === 'tool-approval-request') as { approvalId: string }
  const answer: ModelMessage = {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: part.approvalId, approved: true }],
  }
  const answered = [...messages, ...first.responseMessages, answer]
  for (let repeat = 0; repeat < 3; repeat++) await generateText({ ...request, messages: answered })
  expect(ran).toBe(3)
  const unsigned = JSON.parse(JSON.stringify(answered), (key, value) => (key === 'signature' ? undefined : value))
  await generateText({ ...request, messages: unsigned }).catch(() => {})
  expect(ran).toBe(3)
})
