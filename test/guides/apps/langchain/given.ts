import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph'

export const removed: string[] = []
export const said: string[] = []
export async function removeAll(files: string[]) {
  removed.push(...files)
  return `${files.length} deleted`
}

/** Deletes two files for a message of the user, and ends when that is done. */
class Model extends BaseChatModel {
  constructor() {
    super({})
  }
  _llmType() {
    return 'test'
  }
  override bindTools() {
    return this
  }
  async _generate(messages: BaseMessage[]) {
    const call = { id: 'call-1', name: 'delete_files', args: { files: ['a.txt', 'b.txt'] }, type: 'tool_call' as const }
    const asked = messages.at(-1)?.getType() === 'human'
    if (!asked) said.push(String(messages.at(-1)?.content))
    const message = asked ? new AIMessage({ content: '', tool_calls: [call] }) : new AIMessage('Done.')
    return { generations: [{ text: '', message }] }
  }
}

export const model = new Model()
export const checkpointer = new MemorySaver()
