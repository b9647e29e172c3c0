import { setTracingDisabled } from '@openai/agents'
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing'

setTracingDisabled(true)

export const removed: string[] = []
export const saved: string[] = []
export async function removeAll(files: string[]) {
  removed.push(...files)
  return `${files.length} deleted`
}
export async function save(_session: string, text: string) {
  saved.push(text)
}

/** Deletes a file for a message of the user, and reports when that is done. */
export const model = new ScriptedModel(
  [1, 2, 3].map(() =>
    modelResponder(({ request: { input } }) => {
      const last = Array.isArray(input) ? input.at(-1) : undefined
      if (last?.type === 'function_call_result') return [assistantMessage('They are gone.')]
      return [functionCall('delete_files', { files: ['a.txt', 'b.txt'] }, { callId: 'call-1' })]
    }),
  ),
)
