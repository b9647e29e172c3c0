import { createHoldpoint } from '@holdpoint/server'
import { aiSdk } from '@holdpoint/server/ai-sdk'
import { memoryStore } from '@holdpoint/server/memory'
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  jsonSchema,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

/**
 * What a text token costs on its way from a model to the bytes of a response: the AI SDK alone, and with the bridge.
 * Streams of both kinds take turns, so that whatever disturbs one disturbs the other; the figure is the median of how
 * each pair compares.
 */
const TOKENS = 2_000
const PAIRS = 61
const WARM_UP = 8
const ALLOWED = 0.1

const words = Array.from({ length: TOKENS }, (_, index) => ` word${index % 100}`)
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: TOKENS, text: TOKENS, reasoning: undefined },
}

/** A model that costs nothing: each token is there when it is asked for. */
function* parts() {
  yield { type: 'text-start' as const, id: 't' }
  for (const delta of words) yield { type: 'text-delta' as const, id: 't', delta }
  yield { type: 'text-end' as const, id: 't' }
  yield { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: undefined }, usage }
}
const model = new MockLanguageModelV4({ doStream: async () => ({ stream: ReadableStream.from(parts()) }) })
const messages: UIMessage[] = [{ id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'Tell me all.' }] }]
const tools = {
  deleteFiles: tool({
    inputSchema: jsonSchema<{ files: string[] }>({ type: 'object', properties: { files: { type: 'array' } } }),
    needsApproval: true,
    execute: async ({ files }) => files.length,
  }),
}
const holdpoint = createHoldpoint({ store: memoryStore() })

async function alone(): Promise<Response> {
  const result = streamText({ model, messages: await convertToModelMessages(messages), tools })
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream }) })
}

async function bridged(): Promise<Response> {
  const hp = aiSdk(holdpoint, { sessionId: 'bench', userId: 'ada', messages, mode: 'suspend' })
  const result = streamText({
    model,
    messages: await convertToModelMessages(await hp.declineWaiting()),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
  })
  return createUIMessageStreamResponse({ stream: hp.uiStream(toUIMessageStream({ stream: result.stream })) })
}

/** Microseconds of this process's own work a token; what other processes do does not count. */
async function cost(route: () => Promise<Response>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  const body = await (await route()).text()
  const { user, system } = process.cpuUsage(before)
  const told = body.split('"text-delta"').length - 1
  if (told !== TOKENS) throw new Error(`${told} tokens arrived, ${TOKENS} were sent`)
  return (user + system) / TOKENS
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0

for (let n = 0; n < WARM_UP; n++) for (const route of [alone, bridged]) await cost(route)
const pairs: { alone: number; bridged: number }[] = []
for (let n = 0; n < PAIRS; n++) {
  // Who comes first takes turns too.
  const first = n % 2 === 0 ? await cost(alone) : await cost(bridged)
  const second = n % 2 === 0 ? await cost(bridged) : await cost(alone)
  pairs.push(n % 2 === 0 ? { alone: first, bridged: second } : { alone: second, bridged: first })
}
await holdpoint.close()

const own = median(pairs.map(({ alone }) => alone))
const ours = median(pairs.map(({ bridged }) => bridged))
const overhead = median(pairs.map(({ alone, bridged }) => bridged / alone)) - 1
console.log(`the AI SDK alone        ${own.toFixed(2).padStart(8)} µs a token`)
console.log(`with the bridge         ${ours.toFixed(2).padStart(8)} µs a token`)
console.log(`what the bridge adds    ${(overhead * 100).toFixed(1).padStart(8)} %  (allowed: ${ALLOWED * 100} %)`)
console.log(JSON.stringify({ tokens: TOKENS, pairs: PAIRS, own, ours, overhead }))
process.exit(overhead <= ALLOWED ? 0 : 1)
