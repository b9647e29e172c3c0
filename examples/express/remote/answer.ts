/** The response of the remote agent, in parts of the AI SDK. Yours: `streamText({ model, prompt }).fullStream`. */
export async function* answer(prompt: string) {
  yield* said('first', 'I look that up. ')
  const call = { toolCallId: crypto.randomUUID(), toolName: 'search', input: { query: prompt } }
  yield { type: 'tool-call', ...call }
  await pause(200)
  yield { type: 'tool-result', ...call, output: { hits: 3 } }
  yield* said('second', `Three notes mention “${prompt}”. The latest is from yesterday.`)
  yield { type: 'finish', finishReason: 'stop' }
}

async function* said(id: string, text: string) {
  yield { type: 'text-start', id }
  for (const word of text.split(/(?<= )/)) {
    await pause(40)
    yield { type: 'text-delta', id, text: word }
  }
  yield { type: 'text-end', id }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
