import type { UIMessage } from 'ai'
import type { Engine } from '../../engine/api/engine.ts'
import type { CallState, SessionRef } from '../../engine/api/interactions.ts'
import { outputOf, sentences } from '../handlers/tool-not-run.ts'
import { isToolPart, type ToolPart } from './tool-parts.ts'

type Part = UIMessage['parts'][number]

/**
 * Returns the messages for the model: unanswered questions are declined, and calls that a new message interrupted get
 * their result. Without this, the SDK would drop the questions, so that the model would not know that it asked, and
 * would reject the calls.
 */
export async function declinedIn(
  { reads }: Pick<Engine, 'reads'>,
  session: SessionRef,
  messages: readonly UIMessage[],
): Promise<UIMessage[]> {
  const latest = messages.findLastIndex(({ role }) => role === 'user')
  let runId = ''
  const read: UIMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') runId = message.id
    const over = index < latest && message.role === 'assistant'
    read.push(
      over ? { ...message, parts: await Promise.all(message.parts.map((part) => ended(part, message))) } : message,
    )
  }
  return read

  async function ended(part: Part, message: UIMessage): Promise<Part> {
    if (!isToolPart(part)) return part
    if (part.state === 'approval-requested') return declined(part)
    if (!isCutOff(part)) return part
    const call = await reads.call(session, { runId: runOf(part, message) ?? runId, toolCallId: part.toolCallId })
    return call ? withResult(part, call) : part
  }
}

/**
 * Returns whether the SDK has no result of a call, because its stream was closed or not resumed. Tools that run in the
 * browser or at the provider do not count.
 */
function isCutOff(part: ToolPart): boolean {
  if (part.providerExecuted) return false
  return part.state === 'input-available' || (part.state === 'approval-responded' && part.approval.approved)
}

function declined(part: Extract<ToolPart, { state: 'approval-requested' }>): Part {
  const approval = { ...part.approval, approved: false as const, reason: sentences.superseded }
  return { ...part, state: 'output-denied', approval }
}

function withResult({ approval: _asked, ...part }: ToolPart, { status, result, interactions }: CallState): Part {
  /** The question has ended, but the tool has not finished yet. */
  const isDeclined = interactions.some((one) => one.status === 'superseded')
  const known = (output: unknown) => ({ ...part, state: 'output-available', output }) as Part
  const unknown = (errorText: string) => ({ ...part, state: 'output-error', errorText }) as Part
  if (status === 'running' && !isDeclined)
    return unknown('The user continued while the tool ran. Its result is not known yet.')
  switch (result?.status) {
    case 'completed':
      return known(result.result)
    case 'refused':
      return known(outputOf(result))
    case 'error':
      return unknown('The tool failed.')
    default:
      return unknown(sentences.superseded)
  }
}

/** Returns the run id that the bridge wrote into the part or into the data part of its question. */
function runOf({ approval, toolCallId }: ToolPart, { parts }: UIMessage): string | undefined {
  const beside = parts.flatMap((part) => (part.type === 'data-holdpoint' && 'data' in part ? [part.data] : []))
  const descriptor = [approval?.descriptor, ...beside].find((one) => isTold(one) && one.toolCallId === toolCallId)
  return isTold(descriptor) ? descriptor.runId : undefined
}

function isTold(value: unknown): value is { runId: string; toolCallId: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'runId' in value &&
    typeof value.runId === 'string' &&
    'toolCallId' in value
  )
}
