import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

const calls: Record<string, { name: string; input: unknown }[]> = {
  delete: [{ name: 'deleteFiles', input: { files: ['a.txt'] } }],
  both: [
    { name: 'deleteFiles', input: { files: ['a.txt'] } },
    { name: 'deleteFiles', input: { files: ['b.txt'] } },
  ],
  hurry: [{ name: 'hurry', input: {} }],
  mail: [{ name: 'sendMail', input: { text: 'hi' } }],
  post: [{ name: 'postMessage', input: { text: 'hi' } }],
}

/** Calls the tools for the person's words, and writes about their results. Ids repeat in each turn. */
export function chatModel(onPrompt: (prompt: string) => void): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      onPrompt(JSON.stringify(prompt))
      const last = prompt.at(-1)
      const said = last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : ''
      const wanted = calls[said] ?? []
      const stop = { unified: wanted.length > 0 ? ('tool-calls' as const) : ('stop' as const), raw: undefined }
      const text = last?.role === 'tool' ? `Read: ${JSON.stringify(last.content)}` : `You said ${said}.`
      return {
        stream: convertArrayToReadableStream<StreamPart>([
          ...(wanted.length > 0
            ? wanted.map(({ name, input }, index) => ({
                type: 'tool-call' as const,
                toolCallId: `call-${index + 1}`,
                toolName: name,
                input: JSON.stringify(input),
              }))
            : [
                { type: 'text-start' as const, id: 't' },
                { type: 'text-delta' as const, id: 't', delta: text },
                { type: 'text-end' as const, id: 't' },
              ]),
          { type: 'finish' as const, finishReason: stop, usage },
        ]),
      }
    },
  })
}
