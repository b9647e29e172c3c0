import { digestOf } from '../../base/canonical-json.ts'
import { rowsOf, taggedPages } from '../../store/every-page.ts'
import { applyRemembered, covers, rememberedId, widest } from '../consent/remembered.ts'
import { inboxTag, randomId, sessionPartition, userPartition } from '../records/keys.ts'
import type { Answered, DeliveryRow, QuestionRow, RememberedRow } from '../state/rows.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import { settleIn } from './settle.ts'

/**
 * An approval for the session or for always also settles the open questions that it covers. Each partition is one
 * commit, which checks the rows of its questions: an answer that a person gave meanwhile stays what it is.
 *
 * A question that is opened at the same time is found by one side. If it is committed before the questions are listed,
 * the list has it. If it is committed later, the approval is stored already, and the side that opens the question reads it
 * afterwards (`lookForApproval`).
 */

/** The facts that an answer passes to the questions that it covers: the user who gave it, and its question. */
type Giver = Pick<Answered, 'by'> & { coveredBy: string }

type RememberedDelivery = Extract<DeliveryRow, { type: 'remembered_approval' }>

/** Remembers an approval for good, and settles what it covers, in all sessions or in one. */
export async function rememberApproval(kernel: WaitingKernel, delivery: RememberedDelivery): Promise<void> {
  const { tenant, remembered, rememberedId: id } = delivery
  if (remembered.scope === 'always') await applyRemembered(kernel, tenant, id, remembered)
  const giver = await giverOf(kernel, tenant, delivery.sessionId, remembered)
  if (!giver) return
  const bySession = new Map<string, QuestionRow[]>()
  for (const row of await openQuestions(kernel, tenant, remembered)) {
    // The commit reads the store's clock.
    if (covers(remembered, row, 0)) bySession.set(row.sessionId, [...(bySession.get(row.sessionId) ?? []), row])
  }
  for (const [sessionId, rows] of bySession)
    await settleCovered(kernel, sessionPartition(tenant, sessionId), rows, giver)
}

/** Reads the remembered approvals again, after the question is stored. */
export async function lookForApproval(kernel: WaitingKernel, row: QuestionRow): Promise<void> {
  const { tenant, userId, sessionId } = row
  const id = rememberedId(userId, row.toolName, row.rememberedKey ?? '')
  const { rows } = await kernel.store.load([{ partition: userPartition(tenant, userId), kind: 'remembered', id }])
  const remembered = rows[0] && kernel.rows.read('remembered', rows[0])
  if (!remembered) return
  const giver = await giverOf(kernel, tenant, sessionId, remembered)
  if (giver) await settleCovered(kernel, sessionPartition(tenant, sessionId), [row], giver)
}

/** Approves these questions in one commit, as far as they are still open and the approval was not revoked. */
async function settleCovered(
  kernel: WaitingKernel,
  partition: string,
  questions: readonly QuestionRow[],
  giver: Giver,
): Promise<void> {
  const [first] = questions
  if (!first) return
  const { tenant, userId, toolName } = first
  const id = rememberedId(userId, toolName, first.rememberedKey ?? '')
  await kernel.transact(partition, async (tx) => {
    const [session, always] = await tx.read(['remembered', id], ['remembered', id, userPartition(tenant, userId)])
    const remembered = always ?? session
    const scope = widest(session, always)
    if (!remembered || !scope || scope === 'once') return
    const rows = await tx.read(...questions.map((row) => ['question', row.id] as const))
    for (const row of rows) {
      if (!row || !covers(remembered, row, tx.now)) continue
      const answerId = randomId(kernel.environment)
      const digest = digestOf(['covered', giver.coveredBy, answerId])
      settleIn(kernel, tx, row, { answerId, digest, at: tx.now, action: 'approve', approvalScope: scope, ...giver })
    }
  })
}

/**
 * The person who approved. If that question no longer exists, or code remembered the approval, the answer names the
 * owner.
 */
async function giverOf(
  kernel: WaitingKernel,
  tenant: string,
  sessionId: string,
  { interactionId: id, userId }: RememberedRow,
): Promise<Giver | undefined> {
  if (id === undefined) return undefined
  const partition = sessionPartition(tenant, sessionId)
  const { rows } = await kernel.store.load([
    { partition, kind: 'question', id },
    { partition, kind: 'ended', id },
  ])
  const [live, ended] = rows
  const row = (live && kernel.rows.read('question', live)) || (ended && kernel.rows.read('ended', ended))
  return { by: row?.answer?.by ?? { userId, clientId: '' }, coveredBy: id }
}

async function openQuestions(kernel: WaitingKernel, tenant: string, remembered: RememberedRow): Promise<QuestionRow[]> {
  const { sessionId, userId } = remembered
  if (sessionId !== undefined) {
    const rows = await kernel.store.list(sessionPartition(tenant, sessionId), 'question')
    return kernel.rows.all('question', rows)
  }
  return kernel.rows.all('question', await rowsOf(taggedPages(kernel.store, inboxTag(tenant, userId))))
}
