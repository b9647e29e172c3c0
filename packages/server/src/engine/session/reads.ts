import type { CallInteraction, CallRef, EngineReads, SessionRef } from '../api/interactions.ts'
import { hasBegun } from '../calls/claim-call.ts'
import { onceId, recordedIn } from '../calls/staged-steps.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { callId, SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { decodeRow } from '../records/row-codec.ts'
import { isLive, isPending } from '../state/question.ts'
import type { Kind, QuestionRow, RowTypes } from '../state/rows.ts'
import { questionAt, recordOf } from './list-interactions.ts'
import { sessionRecord } from './list-sessions.ts'

/** The reads of the engine's port. */
export function createReads(kernel: Kernel): EngineReads {
  async function load<K extends Kind>(session: SessionRef, kind: K, ids: readonly string[]) {
    return (await loadAll(
      session,
      ids.map((id): [K, string] => [kind, id]),
    )) as (RowTypes[K] | null)[]
  }

  async function loadAll({ tenant, sessionId }: SessionRef, refs: readonly [kind: Kind, id: string][]) {
    await kernel.ready()
    const partition = sessionPartition(tenant, sessionId)
    const { rows } = await kernel.store.load(refs.map(([kind, id]) => ({ partition, kind, id })))
    // A row that cannot be read must not look like one that is missing.
    return rows.map((row) => row && (decodeRow(row.kind, row.data, undefined, row) as RowTypes[Kind]))
  }

  async function questions(session: SessionRef, ids: readonly string[]): Promise<QuestionRow[]> {
    const rows = await loadAll(
      session,
      ids.flatMap((id): [Kind, string][] => [
        ['question', id],
        ['ended', id],
      ]),
    )
    return rows.filter((row) => row !== null) as QuestionRow[]
  }

  return {
    async session(session) {
      const [row] = await load(session, 'session', [SESSION_ROW])
      return row ? sessionRecord(row) : null
    },

    async call(session, { runId, toolCallId }) {
      const [row] = await load(session, 'call', [callId(runId, toolCallId)])
      if (!row) return null
      const asked = await questions(
        session,
        Object.values(row.keys).map(({ interactionId }) => interactionId),
      )
      const { inputDigest = row.gatedInput } = row
      return {
        begun: hasBegun(row),
        status: row.status,
        interactions: asked.map((each) => interactionOf(each, kernel)),
        ...(inputDigest !== undefined && { inputDigest }),
        ...(row.result && { result: row.result }),
      }
    },

    async recorded(session, steps) {
      const rows = await load(
        session,
        'journal',
        steps.map((step) => journalOf(step, step.name)),
      )
      return rows.map((row) => recordedIn(row)?.value)
    },

    async interaction(session, interactionId) {
      const found = await questionAt(kernel, { ...session, interactionId })
      return found && { record: recordOf(found.row, kernel), now: found.now }
    },

    async pending({ tenant, sessionId }, runId) {
      await kernel.ready()
      const { head, rows } = await kernel.store.snapshot(sessionPartition(tenant, sessionId), ['question'])
      const found = kernel.rows.all('question', rows).filter((row) => row.runId === runId && isPending(row))
      return { interactions: found.map((each) => interactionOf(each, kernel)), next: (head?.seq ?? 0) + 1 }
    },
  }
}

const journalOf = ({ runId, toolCallId }: CallRef, name: string) => onceId({ id: callId(runId, toolCallId) }, name)

const interactionOf = (row: QuestionRow, kernel: Kernel): CallInteraction => ({
  ...recordOf(row, kernel),
  live: isLive(row),
  atGate: row.waiter === 'gate',
})
