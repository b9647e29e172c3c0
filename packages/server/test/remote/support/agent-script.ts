export type Part = { type: string; [field: string]: unknown }

/** More data than a back end should have to pass on. */
export const THOUGHTS = 400
export const THOUGHT = 'x'.repeat(5_000)

/** The agent of these tests: it greets, waits for permission to continue, sends many thoughts, and calls a tool. */
export async function* agentSaying(prompt: string, goOn: () => Promise<void>): AsyncGenerator<Part> {
  yield { type: 'text-start', id: 'text-1' }
  yield { type: 'text-delta', id: 'text-1', text: `You said: ` }
  await goOn()
  yield { type: 'text-delta', id: 'text-1', text: prompt }
  yield { type: 'text-end', id: 'text-1' }
  for (let n = 0; n < THOUGHTS; n++) yield { type: 'reasoning-delta', id: 'r', n, text: THOUGHT }
  yield { type: 'tool-call', toolCallId: 'call-1', toolName: 'search', input: { q: prompt } }
  yield { type: 'tool-result', toolCallId: 'call-1', toolName: 'search', input: { q: prompt }, output: { hits: 2 } }
  yield { type: 'finish', finishReason: 'stop' }
}
