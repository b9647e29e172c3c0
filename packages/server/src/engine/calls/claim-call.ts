import { HoldpointError } from '@holdpoint/core'
import { ownerTag, SESSION_ROW, sessionsTag } from '../records/keys.ts'
import type { Ref, Transaction } from '../records/transaction.ts'
import type { CallRow, RunRow, SessionRow } from '../state/rows.ts'
import { isCancelled } from '../state/run-steps.ts'
import type { CallKernel } from './call-kernel.ts'
import type { Execution } from './execution.ts'

export interface Entered {
  session: SessionRow
  call: CallRow
  /** The stored row, and the row after this transaction. */
  storedRun: RunRow | null
  run: RunRow | null
}

/** The rows that every write of a tool call rests on: references to them, and what was found. */
export function callRefs(execution: Execution) {
  return [
    ['session', SESSION_ROW],
    ['call', execution.id],
    ['run', execution.identity.runId],
    ['idle', execution.identity.runId],
  ] as const satisfies readonly Ref[]
}

export type Entry = readonly [SessionRow | null, CallRow | null, RunRow | null, RunRow | null]

/**
 * Checks at the start of each call's transaction that the session belongs to its user, that the run is not cancelled,
 * and that the call belongs to this execution. The first check claims the call, in the same transaction.
 */
export function claimCall(kernel: CallKernel, tx: Transaction, execution: Execution, rows: Entry): Entered {
  const [, foundCall] = rows
  const { session, run } = checkEntry(tx, execution, rows)
  if (execution.fence > 0) {
    if (!foundCall || foundCall.fence !== execution.fence) throw execution.lose()
    return { session, call: foundCall, storedRun: run, run }
  }
  const call = claimed(kernel, tx, execution, foundCall)
  tx.committed(() => {
    execution.claimedAt = kernel.environment.now()
    kernel.calls.claimed(execution, call.fence)
  })
  return { session, call, storedRun: run, run }
}

/** Checks that the session belongs to the user of the call, and that the run is not cancelled. */
export function checkEntry(tx: Transaction, execution: Execution, [found, , live, idle]: Entry) {
  const run = live ?? idle
  const session = claimSession(tx, execution, found)
  if (isCancelled(run)) throw execution.cancel(run?.reason)
  return { session, run }
}

/** Begins the call of an execution that has written nothing yet, with a commit of its own. */
export async function claimNow(kernel: CallKernel, execution: Execution): Promise<void> {
  await execution.queue.run('', async () => {
    if (!execution.unbegun) return
    await kernel.transact(execution.partition, async (tx) => {
      const rows = await tx.read(...callRefs(execution))
      if (!rows[0]) tx.committed(() => madeSession(kernel, execution))
      claimCall(kernel, tx, execution, rows)
    })
  })
}

/** The session's row, made when it is first used. It belongs to one user for good. */
export function claimSession(
  tx: Transaction,
  { identity }: Pick<Execution, 'identity'>,
  found: SessionRow | null,
): SessionRow {
  if (found) {
    if (found.userId === identity.userId) return found
    throw new HoldpointError(
      'session_owner_mismatch',
      `The session "${identity.sessionId}" belongs to another user. Use a session id of this user's own, for example one that contains the user id.`,
      { details: { sessionId: identity.sessionId } },
    )
  }
  const { tenant, sessionId, userId } = identity
  const session = { tenant, sessionId, userId, createdAt: tx.now }
  tx.put('session', SESSION_ROW, session, { tags: [sessionsTag(tenant, userId)] })
  return session
}

/** This execution has just created its session, so the session has no questions and no clients. */
export function madeSession(kernel: CallKernel, execution: Execution): void {
  execution.madeSessionAt = kernel.environment.now()
  kernel.questionRoom.counted(execution.partition, { questions: 0, bytes: 0 })
}

/** Checks that an execution that has claimed nothing may claim this call. */
export function checkClaim(execution: Execution, before: CallRow): void {
  const { runId, toolCallId } = execution.identity
  if (before.registered !== execution.registered) {
    throw new HoldpointError(
      'call_mismatch',
      `The tool call "${toolCallId}" of run "${runId}" was made ${before.registered ? 'with runTool' : 'with session.toolCall'} before. Make it the same way again, or give the new call its own id.`,
    )
  }
  // The first write of an execution begins a new call, or one that has only passed a gate. The caller begins any other
  // call by its record, and also one whose journal may have the steps that this execution staged without reading it.
  if (execution.begin && (hasBegun(before) || execution.staged)) throw execution.lose()
  if (execution.gatedInput !== undefined) assertSameCall(execution, before, execution.gatedInput)
  // A caller that only checks whether the call may run must not take it from the execution that runs it.
  if (execution.waiter === 'gate' && before.status !== 'suspended') throw callBegun(before)
}

/**
 * Rejects an execution whose call was made before with another tool or input: model providers use tool call ids again, and
 * an approval counts for the input that was shown.
 */
export function assertSameCall({ identity }: Pick<Execution, 'identity'>, before: CallRow, digest: string): void {
  const { runId, toolCallId, toolName, inputDigest = before.gatedInput } = before
  if (toolName === identity.toolName && (inputDigest === undefined || inputDigest === digest)) return
  throw new HoldpointError(
    'call_mismatch',
    `${identity.toolName} was not run: the tool call "${toolCallId}" of run "${runId}" was made before with another tool or input, and an approval counts for the input that was shown. Give each call of a run its own id, and each turn its own run id.`,
    { details: { runId, toolCallId } },
  )
}

/** A call that only a gate has made has asked, but not begun. */
export const hasBegun = ({ status, inputDigest, waiting }: CallRow): boolean =>
  status !== 'suspended' || inputDigest !== undefined || waiting !== undefined

function claimed(kernel: CallKernel, tx: Transaction, execution: Execution, before: CallRow | null): CallRow {
  const { runId, toolCallId, toolName } = execution.identity
  if (before) checkClaim(execution, before)
  const base: Omit<CallRow, 'toolName' | 'status'> = before ?? {
    runId,
    toolCallId,
    registered: execution.registered,
    keys: {},
    startedAt: tx.now,
    fence: 0,
  }
  const { owner: _before, ...rest } = base
  // A call behind a gate is resumed by its own client, so no process has to take it over.
  const held =
    execution.waiter === 'gate'
      ? {
          status: 'suspended' as const,
          ...(execution.gatedInput !== undefined && { gatedInput: execution.gatedInput }),
        }
      : { status: 'running' as const, owner: kernel.incarnation }
  const own: CallRow = { ...rest, ...held, toolName, fence: base.fence + 1 }
  const call = execution.begin?.(tx, own, before) ?? own
  putCall(tx, execution.id, call)
  return call
}

/** The error of a gate whose call has already begun. */
function callBegun({ runId, toolCallId, status }: CallRow): HoldpointError {
  return new HoldpointError(
    'call_begun',
    `The tool call "${toolCallId}" of run "${runId}" ${status === 'finished' ? 'has finished' : 'is running'}, so it cannot ask. Call session.runTool with the same ids to join it or to get its result.`,
    { details: { runId, toolCallId, status } },
  )
}

export function putCall(tx: Transaction, id: string, call: CallRow): void {
  // A bare call, or one before its gate, never reports its end; retention checks whether it has open questions.
  const due = isUnderWay(call) ? null : tx.keepUntil
  tx.put('call', id, call, { tags: callTags(call), due })
}

/** Returns true if some process will run the call to its end. */
export function isUnderWay({ registered, status, waiting }: CallRow): boolean {
  return registered && (status === 'running' || (status === 'suspended' && waiting !== undefined))
}

/** Calls that can be run again are found by the process that owns them. */
function callTags({ registered, status, owner }: CallRow): string[] {
  return registered && status === 'running' && owner !== undefined ? [ownerTag(owner)] : []
}
