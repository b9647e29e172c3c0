import { listedPages } from '../../store/every-page.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { deliveryBase } from '../delivery/outcome-delivery.ts'
import { sentId, sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import type { DeliveryRow, SentRow } from '../state/rows.ts'

type Row = Extract<DeliveryRow, { type: 'surface_settled' }>

/** Writes a delivery for each message about a settled question, so that it shows how the question ended. */
export async function updateMessages(kernel: DeliveryKernel, row: Row): Promise<void> {
  const { tenant, sessionId, interactionId, kind, outcome } = row
  const partition = sessionPartition(tenant, sessionId)
  const sent = await messagesOf(kernel, partition, interactionId)
  if (sent.length === 0) return
  await kernel.transact(partition, async (tx) => {
    const question = await readQuestion(tx, interactionId)
    if (!question) return
    for (const { surface, userId: to, reminder } of sent) {
      const deliveryId = `${sentId(interactionId, surface, to)}/${outcome}`
      const message = { type: 'surface_message' as const, interactionId, kind, surface, to, reminder }
      tx.put('delivery', deliveryId, { ...deliveryBase(question, deliveryId, tx.now), ...message }, { due: tx.now })
    }
    tx.committed(() => kernel.outbox.runSoon())
  })
}

/** A message that is being sent now is not among them: its own delivery looks again after it was sent. */
async function messagesOf(kernel: DeliveryKernel, partition: string, interactionId: string): Promise<SentRow[]> {
  const prefix = `${sentId(interactionId)}/`
  const found: SentRow[] = []
  for await (const { rows } of listedPages(kernel.store, partition, 'sent', { after: prefix })) {
    const own = rows.filter(({ id }) => id.startsWith(prefix))
    found.push(...kernel.rows.all('sent', own))
    if (own.length < rows.length) break
  }
  return found
}
