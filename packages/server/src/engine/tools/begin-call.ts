import { digestOf } from '../../base/canonical-json.ts'
import { assertSameCall, callRefs, claimCall, claimSession, madeSession, putCall } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { isAlive } from '../calls/heartbeat.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { callFacts } from '../kernel/report.ts'
import { nodesPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import type { CallResult, CallRow } from '../state/rows.ts'
import { isCancelled } from '../state/run-steps.ts'
import { endCancelledIn } from './finish-call.ts'

export type BeginResult =
  | { type: 'claimed'; call: CallRow; now: number }
  | { type: 'finished'; result: CallResult }
  | { type: 'suspended'; interactionIds: string[] }
  /** Another process is at it, and lives. */
  | { type: 'elsewhere' }

/** Claims a registered call for this execution, unless it has ended, waits for a person, or a live process owns it. */
export function beginCall(
  kernel: DeliveryKernel,
  execution: Execution,
  how: { input: unknown } | { again: true },
): Promise<BeginResult> {
  return kernel.transact(execution.partition, async (tx): Promise<BeginResult> => {
    const [session, before, live, idle] = await tx.read(...callRefs(execution))
    // Before the record is returned: it belongs to the user of the session.
    if (session) claimSession(tx, execution, session)
    if ('input' in how && before) assertSameCall(execution, before, digestOf(how.input))
    if (before?.status === 'finished') return { type: 'finished', result: before.result ?? noResult }
    if (before && (await ownedElsewhere(kernel, tx, before))) return { type: 'elsewhere' }
    const run = live ?? idle
    // One that has not begun is refused below, and leaves no record.
    if (before?.inputDigest !== undefined && isCancelled(run)) {
      return { type: 'finished', result: await endCancelledIn(kernel, tx, execution, before, run) }
    }
    if (before?.status === 'suspended' && 'input' in how) {
      const open = await openQuestions(tx, before)
      if (open) return { type: 'suspended', interactionIds: open }
    }
    if (!session) tx.committed(() => madeSession(kernel, execution))
    const { call } = claimCall(kernel, tx, execution, [session, before, live, idle])
    const input = 'input' in how ? how.input : call.input
    const claimed = begunWith(call, input)
    putCall(tx, execution.id, claimed)
    // A call that a gate made has asked, but not begun.
    if (before?.inputDigest === undefined) started(kernel, tx, execution, claimed)
    return { type: 'claimed', call: claimed, now: tx.now }
  })
}

/**
 * Lets the first write of this execution claim and begin its call, together with what it writes. If the call has begun by
 * then, the execution loses: it began nothing, and the call has to be begun by its record.
 */
export function beginWithFirstWrite(kernel: DeliveryKernel, execution: Execution, input: unknown): void {
  execution.begin = (tx, call, before) => {
    const begun = begunWith(call, input)
    if (before) assertSameCall(execution, before, begun.inputDigest)
    started(kernel, tx, execution, begun)
    return begun
  }
}

function begunWith({ waiting: _none, gatedInput: _same, ...call }: CallRow, input: unknown) {
  return { ...call, input, inputDigest: digestOf(input) }
}

function started(kernel: DeliveryKernel, tx: Transaction, execution: Execution, call: CallRow): void {
  const { sessionId } = execution.identity
  const { runId, toolCallId, toolName, input } = call
  tx.event({ type: 'tool_call_start', timestamp: iso(tx.now), sessionId, runId, toolCallId, toolName, input })
  tx.committed(() => kernel.emit({ type: 'call_started', ...callFacts(execution.identity, call, tx.now) }))
}

async function ownedElsewhere(kernel: DeliveryKernel, tx: Transaction, { status, owner }: CallRow): Promise<boolean> {
  if (status !== 'running' || owner === undefined || owner === kernel.incarnation) return false
  const [node] = await tx.read(['node', owner, nodesPartition])
  return isAlive(node, tx.now)
}

/** The questions that a suspended call stopped at; null once one of them needs the tool. */
async function openQuestions(tx: Transaction, { waiting = [] }: CallRow): Promise<string[] | null> {
  const rows = await tx.read(...waiting.map((id) => ['question', id] as const))
  const allOpen = rows.every((row) => row?.status === 'open' && row.expiresAt > tx.now)
  return waiting.length > 0 && allOpen ? waiting : null
}

const noResult: CallResult = { status: 'error', code: 'tool_failed', message: 'The tool failed.' }
