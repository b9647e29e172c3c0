import { digestOf } from '../../base/canonical-json.ts'
import type { Engine } from '../../engine/api/engine.ts'
import { callId, journalId } from '../../engine/records/keys.ts'
import { decodeRow } from '../../engine/records/row-codec.ts'
import type { CallRow, JournalRow, QuestionRow } from '../../engine/state/rows.ts'

/** The journal's name for the input that a call was asked about. */
export const INPUT = 'ai-sdk input'

const YES: ReadonlySet<string> = new Set(['approve', 'submit'])

/** The state of a call in the store. The message history has no influence. */
export interface Standing {
  state: /** Nobody was ever asked about it. */
    | 'unknown'
    /** It was asked about with another input. */
    | 'other_input'
    /** The question with `interactionId` is open. */
    | 'waiting'
    /** Whatever was asked is answered, one way or the other. */
    | 'settled'
    /** It runs or has ended: another caller joins it or gets its record. */
    | 'begun'
  interactionId?: string
  /** One of its questions was denied. */
  refused?: boolean
}

/** Reads and claims nothing, so that any number of requests may check at the same time. */
export async function standingOf(
  { store }: Engine,
  partition: string,
  { runId, toolCallId, input }: { runId: string; toolCallId: string; input: unknown },
): Promise<Standing> {
  const id = callId(runId, toolCallId)
  const load = async (...refs: [kind: string, id: string][]) =>
    (await store.load(refs.map(([kind, id]) => ({ partition, kind, id })))).rows.map((row) =>
      row ? decodeRow(row.kind, row.data) : null,
    )
  const [found, bound] = await load(['call', id], ['journal', journalId(id, `once ${digestOf(INPUT)}`)])
  const call = found as CallRow | null
  if (!call) return { state: 'unknown' }
  if (call.status !== 'suspended' || call.waiting) return { state: 'begun' }
  const entry = bound as JournalRow | null
  if (entry?.type !== 'once' || entry.state !== 'done') return { state: 'unknown' }
  if (entry.value !== digestOf(input)) return { state: 'other_input' }
  const questions = await load(
    ...Object.values(call.keys).map(({ interactionId }): [string, string] => ['question', interactionId]),
  )
  const live = questions.filter((row) => row !== null) as QuestionRow[]
  const open = live.find(({ status }) => status !== 'answered')
  if (open) return { state: 'waiting', interactionId: open.id }
  return { state: 'settled', refused: live.some(({ answer }) => answer && !YES.has(answer.action)) }
}
