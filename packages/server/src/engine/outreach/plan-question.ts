import type { Outreach } from '../api/deliveries.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { deliveryBase } from '../delivery/outcome-delivery.ts'
import { sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import { recordOf } from '../session/list-interactions.ts'
import { isPending } from '../state/question.ts'
import type { DeliveryRow } from '../state/rows.ts'

type Row = Extract<DeliveryRow, { type: 'surface_plan' }>

/** Asks the app once who is notified and when, and stores each step as a delivery that is due at its time. */
export async function planQuestion(kernel: DeliveryKernel, outreach: Outreach, row: Row): Promise<void> {
  const { tenant, sessionId, interactionId, kind } = row
  const partition = sessionPartition(tenant, sessionId)
  const question = await kernel.transact(partition, (tx) => readQuestion(tx, interactionId))
  if (!question || !isPending(question)) return
  const steps = await outreach.plan(recordOf(question))
  await kernel.transact(partition, async (tx) => {
    const now = await readQuestion(tx, interactionId)
    if (!now || !isPending(now)) return
    steps.forEach((step, index) => {
      const deliveryId = `${interactionId}.step-${index}`
      const due = Math.max(tx.now, now.askedAt + step.afterMs)
      const base = deliveryBase(now, deliveryId, due)
      tx.put('delivery', deliveryId, { ...base, type: 'surface_step', interactionId, kind, step }, { due })
    })
    tx.committed(() => kernel.outbox.kick())
  })
}
