import type { UIMessage } from 'ai'
import type { Engine } from '../../engine/api/engine.ts'
import { callId } from '../../engine/records/keys.ts'
import { decodeRow } from '../../engine/records/row-codec.ts'
import type { CallRow, QuestionRow } from '../../engine/state/rows.ts'
import { outputOf, sentences } from './stream/not-done.ts'
import { isToolPart, type ToolPart } from './tool-parts.ts'

type Part = UIMessage['parts'][number]

/**
 * Returns the messages for the model: unanswered questions are declined, and calls that a new message interrupted get
 * their result. The SDK alone would drop the former, so that the model would never learn that it asked, and reject the
 * latter.
 */
export async function declinedIn(
  { store }: Pick<Engine, 'store'>,
  partition: string,
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
    const id = callId(runOf(part, message) ?? runId, part.toolCallId)
    const [row] = (await store.load([{ partition, kind: 'call', id }])).rows
    if (!row) return part
    const call = decodeRow('call', row.data) as CallRow
    return withResult(part, call, call.status === 'running' && (await isDeclined(call)))
  }

  /** Its question has ended, but its tool has not finished yet. */
  async function isDeclined({ keys }: CallRow): Promise<boolean> {
    const refs = Object.values(keys).map(({ interactionId }) => ({ partition, kind: 'ended', id: interactionId }))
    const { rows } = await store.load(refs)
    return rows.some((row) => row && (decodeRow('ended', row.data) as QuestionRow).status === 'superseded')
  }
}

/**
 * The SDK has no result: the stream was closed or never resumed. Tools of the browser and of the provider are not ours.
 */
function isCutOff(part: ToolPart): boolean {
  if (part.providerExecuted) return false
  return part.state === 'input-available' || (part.state === 'approval-responded' && part.approval.approved)
}

function declined(part: Extract<ToolPart, { state: 'approval-requested' }>): Part {
  const approval = { ...part.approval, approved: false as const, reason: sentences.superseded }
  return { ...part, state: 'output-denied', approval }
}

function withResult({ approval: _asked, ...part }: ToolPart, { status, result }: CallRow, isDeclined: boolean): Part {
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

/** The turn that the bridge wrote into the part or into the one next to it. */
function runOf({ approval, toolCallId }: ToolPart, { parts }: UIMessage): string | undefined {
  const beside = parts.flatMap((part) => (part.type === 'data-holdpoint' && 'data' in part ? [part.data] : []))
  const told = [approval?.descriptor, ...beside].find((one) => isTold(one) && one.toolCallId === toolCallId)
  return isTold(told) ? told.runId : undefined
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
