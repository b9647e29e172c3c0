import type { UIMessage } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

export const removed: string[] = []
export let saved: UIMessage[] = []

export async function userOf() {
  return { userId: 'ada' }
}
export async function removeAll(files: string[]) {
  removed.push(...files)
  return { deleted: files.length }
}
export async function send() {
  return 'sent'
}
export async function signedIn() {
  return { userId: 'ada' }
}
export async function save(_chat: string, messages: UIMessage[]) {
  saved = messages
}

const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } }
const finish = (unified: string) => ({ type: 'finish', finishReason: { unified, raw: undefined }, usage })
/** Deletes a file when it is spoken to, and says something when that is done. */
export const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => ({
    stream: convertArrayToReadableStream(
      prompt.at(-1)?.role === 'user'
        ? [
            {
              type: 'tool-call',
              toolCallId: 'call-1',
              toolName: 'deleteFiles',
              input: JSON.stringify({ files: ['a.txt'] }),
            },
            finish('tool-calls'),
          ]
        : [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'They are gone.' },
            { type: 'text-end', id: 't' },
            finish('stop'),
          ],
    ),
  }),
})
