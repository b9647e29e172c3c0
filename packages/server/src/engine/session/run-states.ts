import type { AnsweringKernel } from '../answering/answering-kernel.ts'
import type { RunState, StoredRun } from '../api/engine.ts'
import { claimSession } from '../calls/claim-call.ts'
import { SESSION_ROW, sessionPartition } from '../records/keys.ts'

/**
 * Frameworks serialize a run that stops at a question as text. It contains the conversation, so it is encrypted, kept
 * as long as the records of the run, and erased with the session.
 */
const NO_KEY = 'The state of a run contains the conversation and is stored encrypted.'

/** Reads the state of a run. Rejects a user who does not own the session. */
export async function readState(kernel: AnsweringKernel, run: StoredRun): Promise<RunState | null> {
  await kernel.ready()
  const partition = sessionPartition(run.tenant, run.sessionId)
  const row = await kernel.transact(partition, async (tx) => {
    const [session, state] = await tx.read(['session', SESSION_ROW], ['state', run.runId])
    if (session) claimSession(tx, { identity: identityOf(run) }, session)
    return state
  })
  if (!row) return null
  return { text: kernel.vault.assertUsable(NO_KEY).open(row.sealed, boundTo(partition, run)), writes: row.writes }
}

/** Replaces the state that has this number of writes. */
export async function writeState(
  kernel: AnsweringKernel,
  run: StoredRun,
  { text, writes }: RunState,
): Promise<boolean> {
  const cipher = kernel.vault.assertUsable(NO_KEY)
  await kernel.ready()
  const partition = sessionPartition(run.tenant, run.sessionId)
  const sealed = cipher.seal(text, boundTo(partition, run))
  return await kernel.transact(partition, async (tx) => {
    const [session, before] = await tx.read(['session', SESSION_ROW], ['state', run.runId])
    claimSession(tx, { identity: identityOf(run) }, session)
    if ((before?.writes ?? 0) !== writes) return false
    const row = { runId: run.runId, writes: writes + 1, sealed }
    tx.put('state', run.runId, row, { due: tx.keepUntil })
    return true
  })
}

const boundTo = (partition: string, { runId }: StoredRun) => ['run state', partition, runId]

const identityOf = (run: StoredRun) => ({ ...run, toolCallId: '', toolName: '' })
