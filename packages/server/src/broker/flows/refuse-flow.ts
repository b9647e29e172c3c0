import type { Principal } from '../../base/principal.ts'
import { flowRef } from '../../security/keys.ts'
import { changeRow } from '../../store/shared/change-row.ts'
import type { Broker } from '../shared/broker.ts'
import type { FlowRow } from '../shared/flow-row.ts'

export type RefusalReason = 'different_user' | 'different_browser' | 'different_service'

/** Records a refused flow in the audit log. The page does not show which user it was. */
export function recordRefusal(broker: Broker, row: FlowRow, reason: RefusalReason, finishedBy?: Principal): void {
  const startedBy = row.owner ?? row.expected
  broker.record({
    type: 'flow_refused',
    integration: row.integration,
    reason,
    ...(startedBy && { startedBy: startedBy.userId }),
    ...(finishedBy && { finishedBy: finishedBy.userId }),
  })
}

/** Ends a flow that returned to a wrong user, browser or service, so that it cannot be tried again. */
export async function refuseFlow(
  broker: Broker,
  hash: string,
  row: FlowRow,
  reason: RefusalReason,
  finishedBy?: Principal,
): Promise<void> {
  recordRefusal(broker, row, reason, finishedBy)
  await changeRow<FlowRow, void>(broker, flowRef(hash), (current) =>
    current?.state === 'open'
      ? { put: { ...current, state: 'failed', error: reason }, due: current.until, result: undefined }
      : { result: undefined },
  )
}
