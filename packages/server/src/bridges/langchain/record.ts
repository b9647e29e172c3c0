import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { Command, isCommand } from '@langchain/langgraph'
import type { InteractionRefused } from '../../engine/api/interaction-refused.ts'
import { sentences } from '../handlers/tool-not-run.ts'

/** The record of a finished call: its text, or the parts of its message or command. */
export type Recorded =
  | string
  | { content: ToolMessage['content']; artifact?: unknown; status?: 'success' | 'error' }
  | { command: { update?: Record<string, unknown>; goto?: unknown; graph?: string; messages?: StoredMessage[] } }

/** The name and id of a call in LangChain. */
export interface CallName {
  id: string
  name: string
}

export function recordOf(output: ToolMessage | Command): Recorded {
  if (isCommand(output)) {
    const { messages, ...update } = (output.update ?? {}) as Record<string, unknown> & { messages?: BaseMessage[] }
    return {
      command: {
        update,
        ...(output.goto !== undefined && { goto: output.goto }),
        ...(output.graph !== undefined && { graph: output.graph }),
        ...(messages && { messages: mapChatMessagesToStoredMessages(messages) }),
      },
    }
  }
  const { content, artifact, status } = output
  if (typeof content === 'string' && artifact === undefined && status !== 'error') return content
  return { content, ...(artifact !== undefined && { artifact }), ...(status && { status }) }
}

/** Converts a record back to the output of the call. */
export function outputFrom(recorded: Recorded, call: CallName): ToolMessage | Command {
  if (typeof recorded === 'string') return message(call, { content: recorded })
  if (!('command' in recorded)) return message(call, recorded)
  const { messages, update, ...rest } = recorded.command
  const restored = messages && { messages: mapStoredMessagesToChatMessages(messages) }
  return new Command({ ...rest, update: { ...update, ...restored } } as never)
}

/** Returns the message to the model about a call without an approval or answer of the person. */
export function refusalOf(
  { outcome, reason, output }: Pick<InteractionRefused, 'outcome' | 'reason' | 'output'>,
  call: CallName,
): ToolMessage {
  const sentence = sentences[outcome]
  const text = reason === undefined ? sentence : `${sentence} The user wrote: ${JSON.stringify(reason)}`
  const own = typeof output === 'string' ? output : JSON.stringify(output)
  const artifact = { holdpoint: outcome, message: sentence, ...(reason !== undefined && { reason }) }
  return message(call, { content: own ?? text, status: 'error', artifact })
}

export function failureOf(text: string, call: CallName): ToolMessage {
  return message(call, { content: text, status: 'error' })
}

function message({ id, name }: CallName, fields: Exclude<Recorded, string | { command: unknown }>): ToolMessage {
  return new ToolMessage({ ...fields, tool_call_id: id, name })
}
