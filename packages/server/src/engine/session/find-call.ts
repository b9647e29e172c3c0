import type { Kernel } from '../kernel/kernel.ts'
import { callId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { CallRow } from '../state/rows.ts'

/** A call by what clients know of it. Where no run is named it is the latest one of that id: providers use ids again. */
export async function findCall(
  kernel: Kernel,
  tx: Transaction,
  { runId, toolCallId }: { runId?: string | undefined; toolCallId: string },
): Promise<CallRow | null> {
  if (runId !== undefined) return (await tx.read(['call', callId(runId, toolCallId)]))[0]
  const rows = await kernel.store.list(tx.partition, 'call')
  // The name of a row ends with the id: what does not is not read.
  const suffix = callId('', toolCallId)
  const calls = rows
    .filter((row) => row.id.endsWith(suffix) && kernel.rows.read('call', row))
    .map((row) => tx.adopt('call', row))
  return calls
    .filter((call) => call.toolCallId === toolCallId)
    .reduce<CallRow | null>((latest, call) => (latest && latest.startedAt > call.startedAt ? latest : call), null)
}
