import { isHoldpointError } from '@holdpoint/core'
import { errorFacts } from '../../base/logger.ts'
import type { Outreach } from '../api/deliveries.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { Later } from '../delivery/later.ts'
import { deliveryBase } from '../delivery/outcome-delivery.ts'
import { sentId, sessionPartition } from '../records/keys.ts'
import { readQuestion, rewriteQuestion } from '../records/question-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { kinds } from '../state/kinds.ts'
import { audienceOf, isPending } from '../state/question.ts'
import type { DeliveryRow, QuestionRow } from '../state/rows.ts'

type Row = Extract<DeliveryRow, { type: 'surface_step' }>

/**
 * Writes one delivery for each user and surface of a step, so that a failing one holds up no other. Users who look, or
 * have just looked, are left for later; they do not delay the messages of the others.
 */
export async function takeStep(kernel: DeliveryKernel, outreach: Outreach, row: Row): Promise<Later | undefined> {
  const { tenant, sessionId, interactionId, step } = row
  const partition = sessionPartition(tenant, sessionId)
  const waits = await waitsOf(kernel, row)
  const { now } = await kernel.store.load([])
  /** A time zone that a user mistyped must not keep the question from this user, or from the others. */
  const notQuiet = (error: unknown): undefined => {
    if (!isHoldpointError(error, 'invalid_time')) throw error
    const how = 'Write hours such as "22:00" and a time zone such as "Europe/Berlin"'
    kernel.log.warn(`a user is notified at once, because the quiet hours are not valid. ${how}`, errorFacts(error))
  }
  const quiet = new Map<string, number | undefined>()
  for (const userId of step.to) {
    if (waits.has(userId)) continue
    quiet.set(userId, await outreach.quietUntil({ tenant, userId }, now).catch(notQuiet))
  }
  const isOpen = await kernel.transact(partition, async (tx) => {
    const asked = await readQuestion(tx, interactionId)
    if (!asked || !isPending(asked)) return false
    // Users who look need no message, and can answer from the moment of the step.
    const question = admit(tx, asked, step.to)
    for (const [to, until] of quiet) {
      if (!mayAnswer(question, to)) {
        kernel.log.warn('a user is not notified: only the owner of a session can connect accounts', { interactionId })
        continue
      }
      for (const surface of step.surfaces) await putMessage(tx, question, row, { to, surface, due: until ?? tx.now })
    }
    if (quiet.size > 0) tx.committed(() => kernel.outbox.runSoon())
    return true
  })
  if (!isOpen || waits.size === 0) return undefined
  return new Later(Math.min(...waits.values()), { ...row, step: { ...step, to: [...waits.keys()] } })
}

/** Returns the users of a step who have looked too recently, with the milliseconds until they have not. */
async function waitsOf(kernel: DeliveryKernel, { tenant, sessionId, step }: Row): Promise<ReadonlyMap<string, number>> {
  const { to, unseenForMs } = step
  if (unseenForMs === undefined) return new Map()
  const unseen = await kernel.unseenForMs({ tenant, sessionId }, to)
  return new Map([...unseen].map(([user, ms]) => [user, unseenForMs - ms] as const).filter(([, left]) => left > 0))
}

/** Users to whom the question is escalated may answer it from now on. */
function admit(tx: Transaction, row: QuestionRow, users: readonly string[]): QuestionRow {
  const added = users.filter((user) => !mayAnswer(row, user))
  if (added.length === 0 || kinds[row.kind].ownerOnly) return row
  const admitted = { ...row, audience: [...(row.audience ?? []), ...added] }
  rewriteQuestion(tx, admitted)
  return admitted
}

const mayAnswer = (row: QuestionRow, user: string) => user === row.userId || audienceOf(row).includes(user)

/** A delivery that still tries to send the first message is not overtaken by a reminder. */
async function putMessage(
  tx: Transaction,
  question: QuestionRow,
  { interactionId, kind, step }: Row,
  { to, surface, due }: { to: string; surface: string; due: number },
): Promise<void> {
  const deliveryId = sentId(interactionId, surface, to)
  const [underWay] = await tx.read(['delivery', deliveryId])
  if (underWay) return
  const base = deliveryBase(question, deliveryId, due)
  const message = { type: 'surface_message' as const, interactionId, kind, surface, to, reminder: step.reminder }
  tx.put('delivery', deliveryId, { ...base, ...message }, { due })
}
