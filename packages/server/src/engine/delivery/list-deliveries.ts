import type { DeliveryName } from '../api/deliveries.ts'
import { DEAD_TAG, deliveryTag, FAILING_TAG, PARKED_TAG, RUNNING_TAG } from '../records/keys.ts'
import type { DeliveryKernel } from './delivery-kernel.ts'

/**
 * The state of a delivery: its hook runs, its hook failed and will be called again, it waits for a process with the
 * hook, or it is a dead letter.
 */
export type DeliveryState = 'running' | 'failing' | 'parked' | 'dead'

/** A delivery to a hook, without its content. */
export interface DeliveryItem {
  id: string
  type: DeliveryName | 'remembered_approval'
  tenant: string
  sessionId: string
  userId: string
  runId: string
  toolCallId: string
  toolName: string
  attempts: number
  createdAt: Date
}

const tags = { running: RUNNING_TAG, failing: FAILING_TAG, parked: PARKED_TAG, dead: DEAD_TAG } as const
const PAGE = 100

export async function listDeliveries(
  kernel: DeliveryKernel,
  { state, after, limit = PAGE }: { state: DeliveryState; after?: string; limit?: number },
): Promise<{ deliveries: DeliveryItem[]; next?: string }> {
  const { rows, next } = await kernel.store.byTag(tags[state], { limit, ...(after !== undefined && { after }) })
  const deliveries = kernel.rows.all('delivery', rows).map((row): DeliveryItem => {
    const { deliveryId: id, tenant, sessionId, userId, runId, toolCallId, toolName, attempts, at, type } = row
    return { id, type, tenant, sessionId, userId, runId, toolCallId, toolName, attempts, createdAt: new Date(at) }
  })
  return { deliveries, ...(next !== undefined && { next }) }
}

/** Makes a delivery due now, with a fresh count of attempts. False when there is none, or its hook runs here. */
export async function retryDelivery(kernel: DeliveryKernel, id: string): Promise<boolean> {
  if (kernel.outbox.isRunning(id)) return false
  const retried = await change(kernel, id, 'retry')
  if (retried) kernel.outbox.runSoon()
  return retried
}

/** Drops a delivery for good. False when there is none. */
export const dropDelivery = (kernel: DeliveryKernel, id: string): Promise<boolean> => change(kernel, id, 'drop')

async function change(kernel: DeliveryKernel, id: string, what: 'retry' | 'drop'): Promise<boolean> {
  const { rows } = await kernel.store.byTag(deliveryTag(id), { limit: 1 })
  const [found] = rows
  if (!found) return false
  return await kernel.transact(found.partition, async (tx) => {
    const [row] = await tx.read(['delivery', id])
    if (!row) return false
    if (what === 'drop') tx.delete('delivery', id)
    else {
      const repeated = row.attempts > 0 && { repeated: true as const }
      tx.put('delivery', id, { ...row, attempts: 0, ...repeated, at: tx.now }, { due: tx.now })
    }
    return true
  })
}
