import { AIMessage, type BaseMessage, RemoveMessage, ToolMessage } from '@langchain/core/messages'
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph'
import type { Engine } from '../../engine/api/engine.ts'
import type { SessionRef } from '../../engine/api/interactions.ts'
import { type CallName, failureOf, outputFrom, type Recorded, refusalOf } from './record.ts'

const UNREAD = 'The tool ran. The user continued before its result was read.'
const RUNNING = 'The user continued while the tool ran. Its result is not known yet.'

/** Returns the turn in which a call was made: the id of the last user message before this index. */
export function turnBefore(messages: readonly BaseMessage[], index: number): string | undefined {
  return messages.slice(0, index).findLast((one) => one.getType() === 'human')?.id
}

/**
 * Adds a result to each call that has none because the user wrote a new message instead of an answer. Models reject a
 * history with a call that has no result. Returns undefined if nothing is missing.
 */
export async function withResults(
  { reads }: Pick<Engine, 'reads'>,
  session: SessionRef,
  messages: readonly BaseMessage[],
): Promise<{ messages: BaseMessage[] } | undefined> {
  const answered = new Set(messages.flatMap((one) => (ToolMessage.isInstance(one) ? [one.tool_call_id] : [])))
  const complete: BaseMessage[] = []
  for (const [index, one] of messages.entries()) {
    complete.push(one)
    const calls = AIMessage.isInstance(one) ? (one.tool_calls ?? []) : []
    for (const { id, name } of calls) {
      if (id === undefined || answered.has(id)) continue
      complete.push(await resultOf({ id, name }, turnBefore(messages, index) ?? ''))
    }
  }
  if (complete.length === messages.length) return undefined
  return { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...complete] }

  async function resultOf(call: CallName, runId: string): Promise<BaseMessage> {
    const { status, result } = (await reads.call(session, { runId, toolCallId: call.id })) ?? {}
    if (status === 'running') return failureOf(RUNNING, call)
    if (!result) return refusalOf({ outcome: 'superseded' }, call)
    if (result.status === 'refused') return refusalOf(result, call)
    if (result.status === 'error') return failureOf(result.message, call)
    const output = outputFrom(result.result as Recorded, call)
    return ToolMessage.isInstance(output) ? output : failureOf(UNREAD, call)
  }
}
