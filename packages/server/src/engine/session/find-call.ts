import type { Core } from './core.ts'
import { callId } from './names.ts'
import type { CallRow } from './rows.ts'
import type { Tx } from './tx.ts'

/** A call by what clients know of it. Where no run is named it is the latest one of that id: providers use ids again. */
export async function findCall(
  core: Core,
  tx: Tx,
  { runId, toolCallId }: { runId?: string | undefined; toolCallId: string },
): Promise<CallRow | null> {
  if (runId !== undefined) return (await tx.read(['call', callId(runId, toolCallId)]))[0]
  const rows = await core.store.list(tx.partition, 'call')
  // The name of a row ends with the id: what does not is not read.
  const suffix = callId('', toolCallId)
  const calls = rows.filter(({ id }) => id.endsWith(suffix)).map((row) => tx.adopt('call', row))
  return calls
    .filter((call) => call.toolCallId === toolCallId)
    .reduce<CallRow | null>((latest, call) => (latest && latest.startedAt > call.startedAt ? latest : call), null)
}
