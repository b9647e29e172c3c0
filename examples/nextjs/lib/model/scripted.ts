import type { LanguageModel } from 'ai'
import { help, plans } from './plans.ts'
import { sentence } from './sentence.ts'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Prompt = Parameters<Model['doStream']>[0]['prompt']
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

/** The prefix of a message from a follow-up. */
export const LATE = 'Follow-up. '

/** A model without a key and without a network: fixed words lead to fixed tools, so that readers and tests can rely on it. */
export const scriptedModel: Model = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doStream: async ({ prompt }) => ({ stream: spoken(answerTo(prompt)) }),
  doGenerate: () => Promise.reject(new Error('The scripted model only streams.')),
}

interface Reply {
  text: string
  call?: { toolName: string; input: object }
}

function answerTo(prompt: Prompt): Reply {
  const last = prompt.at(-1)
  if (last?.role === 'tool') {
    const results = last.content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
    return { text: results.map(said).join(' ') || 'Done.' }
  }
  const message =
    last?.role === 'user' ? last.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join(' ') : ''
  if (message.startsWith(LATE)) return { text: sentence(inputIn(message)) }
  const plan = plans.find(({ word }) => message.toLowerCase().includes(word))
  return plan ? { text: plan.opening, call: plan } : { text: help }
}

type Output = Extract<Extract<Prompt[number], { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output']

function said(output: Output): string {
  if (output.type === 'json') return sentence(output.value)
  if (output.type === 'execution-denied') return sentence({ holdpoint: 'denied' })
  return output.type === 'error-text' || output.type === 'error-json'
    ? 'The tool failed. I have made a note of it.'
    : 'Done.'
}

/** Returns the form values in the text of an answer. */
function inputIn(message: string): unknown {
  const found = /Input: (\{.*?\})\./.exec(message)?.[1]
  try {
    return found ? JSON.parse(found) : {}
  } catch {
    return {}
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/** A word at a time, as a model speaks. */
function spoken({ text, call }: Reply): ReadableStream<Part> {
  const words = text.split(/(?<= )/)
  const parts: Part[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'text' },
    ...words.map((delta): Part => ({ type: 'text-delta', id: 'text', delta })),
    { type: 'text-end', id: 'text' },
  ]
  if (call) {
    const toolCallId = `call-${crypto.randomUUID()}`
    parts.push({ type: 'tool-call', toolCallId, toolName: call.toolName, input: JSON.stringify(call.input) })
  }
  parts.push({ type: 'finish', finishReason: { unified: call ? 'tool-calls' : 'stop', raw: undefined }, usage })
  return new ReadableStream({
    async pull(controller) {
      const part = parts.shift()
      if (!part) return controller.close()
      if (part.type === 'text-delta') await new Promise((resolve) => setTimeout(resolve, 15))
      controller.enqueue(part)
    },
  })
}
