import { InteractionRefused } from '../api/interaction-refused.ts'
import { callRefs, claimCall, putCall } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { deliverUnclaimedAnswer } from '../delivery/unclaimed-answer.ts'
import { fittedEvent } from '../kernel/fitted-event.ts'
import { callFacts, reportClosed } from '../kernel/report.ts'
import { randomId } from '../records/keys.ts'
import { putQuestion } from '../records/question-records.ts'
import { putRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import { close } from '../state/question-steps.ts'
import type { CallResult, CallRow, RunRow } from '../state/rows.ts'
import { stopWaitingFor } from '../state/run-steps.ts'

/**
 * Records how a call ended, once, with the delivery of its result. A caller that comes later gets the record.
 *
 * If a caller waits in this process and the app has no `onToolResult`, the record is all: a delivery would wait for a hook
 * that does not exist, and would have to be removed with another commit.
 */
export async function finishCall(
  kernel: DeliveryKernel,
  execution: Execution,
  result: CallResult,
  waited: boolean,
): Promise<{ result: CallResult; delivery?: string }> {
  const known = execution.takeLatestRows(kernel.environment.now())
  const work = async (tx: Transaction) => {
    const rows = await tx.read(...callRefs(execution))
    const [, before] = rows
    if (before?.status === 'finished' && before.fence === execution.fence && before.result) {
      return { result: before.result, ...(before.delivery !== undefined && { delivery: before.delivery }) }
    }
    const ended = endOf(kernel, tx, execution, rows, result)
    const returned = waited && !kernel.settings.onToolResult
    const due = returned ? undefined : waited ? tx.now + kernel.settings.leaseMs : tx.now
    return { result: ended.result, ...(await record(kernel, tx, execution, ended, due)) }
  }
  return await kernel.transact(execution.partition, work, known)
}

/** A call of a cancelled run without an execution ends as it would have if its process lived. */
export async function endCancelledIn(
  kernel: DeliveryKernel,
  tx: Transaction,
  execution: Execution,
  call: CallRow,
  run: RunRow | null,
): Promise<CallResult> {
  const { waiting: _none, ...rest } = call
  const result = cancelledResult(run?.reason)
  await record(kernel, tx, execution, { call: { ...rest, fence: call.fence + 1 }, run, storedRun: run, result }, tx.now)
  tx.committed(() => kernel.outbox.runSoon())
  return result
}

async function record(
  kernel: DeliveryKernel,
  tx: Transaction,
  execution: Execution,
  ended: Ended,
  due: number | undefined,
): Promise<{ delivery?: string }> {
  const { identity } = execution
  const { result } = ended
  await closeLeftOvers(kernel, tx, ended)
  const delivery = due === undefined ? {} : { delivery: randomId(kernel.environment) }
  const { owner: _owner, ...rest } = ended.call
  const call: CallRow = { ...rest, status: 'finished', result, ...delivery, finishedAt: tx.now }
  putCall(tx, execution.id, call)
  tx.eventText(completeEvent(kernel, execution, result, tx.now))
  if (delivery.delivery !== undefined) {
    const { delivery: deliveryId } = delivery
    const row = { ...identity, deliveryId, type: 'tool_result' as const, result, at: tx.now, attempts: 0 }
    tx.put('delivery', deliveryId, row, { due })
  }
  tx.committed(() =>
    kernel.emit({ type: 'call_finished', ...callFacts(identity, call, tx.now), status: result.status }),
  )
  return delivery
}

const cancelledResult = (reason: string | undefined): CallResult => ({
  status: 'refused',
  outcome: 'cancelled',
  ...(reason !== undefined && { reason }),
})

interface Ended {
  call: CallRow
  run: RunRow | null
  storedRun: RunRow | null
  result: CallResult
}

type Rows = Parameters<typeof claimCall>[3]

/** A cancelled run has no results: what its tools still returned counts as cancelled. */
function endOf(kernel: DeliveryKernel, tx: Transaction, execution: Execution, rows: Rows, result: CallResult): Ended {
  try {
    return { ...claimCall(kernel, tx, execution, rows), result }
  } catch (error) {
    const [, call, live, idle] = rows
    const cancelled = error instanceof InteractionRefused && error.outcome === 'cancelled'
    if (!cancelled || !call || call.fence !== execution.fence) throw error
    const run = live ?? idle
    return { call, run, storedRun: run, result: cancelledResult(error.reason) }
  }
}

const LEFT_OPEN =
  'a tool ended while its question was open, so the question was closed: is an await missing in front of ctx.approve, ask or requestInteraction?'

/** Ends the questions that the tool did not wait for. An answered one leaves as a follow-up. */
async function closeLeftOvers(
  kernel: DeliveryKernel,
  tx: Transaction,
  { call, run, storedRun, result }: Ended,
): Promise<void> {
  const ids = Object.values(call.keys).map(({ interactionId }) => interactionId)
  const rows = await tx.read(...ids.map((id) => ['question', id] as const))
  let next = run
  for (const row of rows) {
    if (!row || row.status === 'deferred') continue
    if (row.status === 'answered') deliverUnclaimedAnswer(kernel, tx, row)
    else {
      const { row: closed, event } = close(row, 'superseded', { type: 'refused', outcome: 'superseded' }, tx.now)
      putQuestion(tx, closed)
      tx.event(event)
      tx.committed(() => {
        reportClosed(kernel, closed, tx.now)
        const { toolName, id: interactionId } = closed
        if (result.status === 'completed') kernel.log.warn(LEFT_OPEN, { toolName, interactionId })
      })
    }
    next = next && stopWaitingFor(next, row.id)
  }
  if (next && next !== storedRun) putRun(tx, rows.find((row) => row)?.sessionId ?? '', storedRun, next)
}

/** The agent gets the whole output. A page is not sent more than an event may hold. */
function completeEvent(kernel: DeliveryKernel, execution: Execution, result: CallResult, now: number): string {
  const { sessionId, runId, toolCallId, toolName } = execution.identity
  const base = { type: 'tool_call_complete' as const, timestamp: iso(now), sessionId, runId, toolCallId, toolName }
  switch (result.status) {
    case 'completed':
      return fittedEvent(kernel, { ...base, status: 'completed', output: result.result })
    case 'refused':
      return fittedEvent(kernel, {
        ...base,
        status: result.outcome === 'cancelled' ? 'cancelled' : 'declined',
        ...(result.output !== undefined && { output: result.output }),
      })
    case 'error':
      return fittedEvent(kernel, {
        ...base,
        status: 'error',
        error: { code: 'tool_failed', message: 'The tool failed.' },
      })
  }
}
