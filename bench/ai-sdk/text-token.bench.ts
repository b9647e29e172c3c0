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
import { report, versionOf } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { median, ratios, spread } from '../support/statistics.ts'

/**
 * The cost of a text token from a model to the bytes of a response: the AI SDK alone, and with the bridge. Streams of
 * both kinds take turns, so that disturbances affect both. The figure is the median of the ratios of all pairs.
 */
const TOKENS = 2_000
const PAIRS = 61
const WARM_UP = 8
const ALLOWED = 1.1

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
function streamed() {
  const source = parts()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
const model = new MockLanguageModelV4({ doStream: async () => ({ stream: streamed() }) })
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

const { alone: sdk, bridged: ours } = await rounds(
  PAIRS,
  { alone: () => cost(alone), bridged: () => cost(bridged) },
  { warmUp: WARM_UP },
)
await holdpoint.close()

const toSdk = ratios(ours, sdk)
const scenario = 'a text token from a model to the bytes of a response, through the AI SDK bridge'
const version = versionOf('ai')
report({
  about: `${PAIRS} pairs of streams of ${TOKENS.toLocaleString('en-US')} tokens, in turns`,
  results: [
    {
      id: 'ratio',
      scenario,
      figure: 'CPU',
      unit: '× the AI SDK alone',
      better: 'lower',
      value: median(toSdk),
      spread: spread(toSdk),
      target: ALLOWED,
      peers: [{ name: 'AI SDK', version, value: 1 }],
    },
    {
      id: 'micros',
      scenario,
      figure: 'CPU a token',
      unit: 'µs',
      better: 'lower',
      value: median(ours),
      spread: spread(ours),
      peers: [{ name: 'AI SDK', version, value: median(sdk) }],
    },
  ],
})
