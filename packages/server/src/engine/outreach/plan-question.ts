import { errorFacts } from '../../base/logger.ts'
import type { Outreach } from '../api/deliveries.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { Later } from '../delivery/later.ts'
import { deliveryBase } from '../delivery/outcome-delivery.ts'
import { sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import { recordOf } from '../session/list-interactions.ts'
import { isPending } from '../state/question.ts'
import type { DeliveryRow } from '../state/rows.ts'
import { takeStep } from './take-step.ts'

type Row = Extract<DeliveryRow, { type: 'surface_plan' }>
type Step = Extract<DeliveryRow, { type: 'surface_step' }>

const REPEAT_MS = 1_000

/**
 * Asks the app once who is notified and when. A step that is due now is taken at once, which saves three commits. The others,
 * and one that waits for users who look or that failed, are stored as deliveries that are due at their time.
 */
export async function planQuestion(kernel: DeliveryKernel, outreach: Outreach, row: Row): Promise<void> {
  const { tenant, sessionId, interactionId, kind } = row
  const partition = sessionPartition(tenant, sessionId)
  const { question, now } = await kernel.transact(partition, async (tx) => {
    const found = await readQuestion(tx, interactionId)
    return { question: found, now: tx.now }
  })
  if (!question || !isPending(question)) return
  const planned = await outreach.plan(recordOf(question, kernel))
  const steps = planned.map((step, index) => {
    const deliveryId = `${interactionId}.step-${index}`
    const due = Math.max(now, question.askedAt + step.afterMs)
    const base = deliveryBase(question, deliveryId, due)
    return { row: { ...base, type: 'surface_step' as const, interactionId, kind, step }, due }
  })
  const left: { row: DeliveryRow; due: number }[] = []
  for (const step of steps) {
    const taken = step.due > now ? new Later(step.due - now) : await taking(kernel, outreach, step.row)
    if (taken) left.push({ row: taken.rest ?? step.row, due: now + taken.ms })
  }
  if (left.length === 0) return
  await kernel.transact(partition, async (tx) => {
    const current = await readQuestion(tx, interactionId)
    if (!current || !isPending(current)) return
    for (const { row: step, due } of left) tx.put('delivery', step.deliveryId, step, { due })
    tx.committed(() => kernel.outbox.runSoon())
  })
}

/** A step that fails is repeated as a delivery of its own, so that the app is not asked again for its plan. */
function taking(kernel: DeliveryKernel, outreach: Outreach, step: Step): Promise<Later | undefined> {
  return takeStep(kernel, outreach, step).catch((error) => {
    kernel.log.warn('a step of a notification failed and will be repeated', errorFacts(error))
    return new Later(REPEAT_MS)
  })
}
