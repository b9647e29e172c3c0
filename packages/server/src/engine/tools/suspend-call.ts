import { callRefs, claimCall, putCall } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import type { CallRow } from '../state/rows.ts'

/** Lets go of a call until its questions are settled; unless one was settled while the tool was stopping. */
export async function suspendCall(
  kernel: DeliveryKernel,
  execution: Execution,
  waiting: string[],
): Promise<{ type: 'suspended'; call: CallRow; now: number } | { type: 'again' }> {
  return await kernel.transact(execution.partition, async (tx) => {
    const rows = await tx.read(...callRefs(execution))
    const { call } = claimCall(kernel, tx, execution, rows)
    const questions = await tx.read(...waiting.map((id) => ['question', id] as const))
    const { owner: _owner, ...rest } = call
    const suspended: CallRow = { ...rest, status: 'suspended', waiting }
    putCall(tx, execution.id, suspended)
    const settled = questions.some((row) => row?.status !== 'open')
    return settled ? { type: 'again' as const } : { type: 'suspended' as const, call: suspended, now: tx.now }
  })
}
