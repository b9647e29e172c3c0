import { HoldpointError } from '@holdpoint/core'
import { assertIds } from '../../base/assert-ids.ts'
import { digestOf } from '../../base/canonical-json.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { claimSession } from '../calls/claim-call.ts'
import type { CallIdentity } from '../calls/execution.ts'
import { declineWaiting } from '../ending/cancel.ts'
import { SESSION_ROW, sessionPartition, turnId } from '../records/keys.ts'
import { changeRun, putRun, readRun } from '../records/run-records.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import type { TurnRow } from '../state/rows.ts'
import { isCancelled, newRun, overtaken, retaken, setStatus } from '../state/run-steps.ts'
import { TurnWriter } from './turn-writer.ts'
import { type StreamEnd, type StreamPart, streamInto } from './write-stream.ts'

/** Begins a turn of the agent, or continues one with the same `runId`. */
export interface TurnOptions {
  /** Identifies one turn of the agent. Use the same id for a repeat of its request, and to continue it after a stop. */
  runId: string
  /** The text that the person wrote. */
  message?: string
}

/** One turn of the agent, as it is streamed into the session's log. */
export interface Turn {
  readonly runId: string
  /** Aborted when a new message arrived or the turn was stopped, on any node. Pass it to the model's call. */
  readonly signal: AbortSignal
  /** Writes text of the agent. Resolves when there is room for more: await it, and the model is read no faster. */
  text(text: string): Promise<void>
  /**
   * Writes all of a model's stream (`fullStream` of the AI SDK): text, tool calls as soon as they are named, results of
   * tools that Holdpoint does not run itself. Ends the turn, and says how.
   */
  stream(parts: AsyncIterable<StreamPart>): Promise<StreamEnd>
  /** The agent waits for the person. */
  pause(reason?: string): Promise<void>
  /** The agent has finished. */
  done(): Promise<void>
}

type Owner = Pick<CallIdentity, 'tenant' | 'sessionId' | 'userId'>

export async function beginTurn(kernel: CallKernel, owner: Owner, { runId, message }: TurnOptions): Promise<Turn> {
  assertIds('session.turn', { runId })
  await kernel.ready()
  const { sessionId } = owner
  const partition = sessionPartition(owner.tenant, sessionId)
  const messageDigest = message === undefined ? undefined : digestOf(message)
  const begun = await kernel.transact(partition, async (tx) => {
    const [session, before] = await tx.read(['session', SESSION_ROW], ['turn', turnId()])
    claimSession(tx, { identity: { ...owner, runId, toolCallId: '', toolName: '' } }, session)
    if (before && before.runId !== runId) await overtake(tx, sessionId, before)
    const repeated = messageDigest !== undefined && before?.runId === runId && before.said === messageDigest
    if (message !== undefined && !repeated) {
      tx.event({ type: 'user_message', timestamp: iso(tx.now), sessionId, runId, text: message })
    }
    await setRun(tx, sessionId, runId, 'running')
    const fence = (before?.fence ?? 0) + 1
    tx.put('turn', turnId(), { fence, runId, ...(messageDigest !== undefined && { said: messageDigest }) })
    return { fence, repeated }
  })
  // A request that repeats its turn finds its own questions here, and must not end them.
  if (message !== undefined && !begun.repeated) await declineWaiting(kernel, partition, sessionId)
  return createTurn(kernel, owner, partition, runId, begun.fence)
}

/** The person wrote a new message: the previous turn ends, whatever it was doing, and can ask nothing more. */
async function overtake(tx: Transaction, sessionId: string, { runId, ended }: TurnRow, thread?: string): Promise<void> {
  if (!ended) tx.event({ type: 'paused', timestamp: iso(tx.now), sessionId, runId, reason: 'new_message' })
  await changeRun(tx, sessionId, runId, (run) => {
    return overtaken(ended ? run : setStatus(run, 'completed', 'new_message'), thread)
  })
}

/** Gives an overtaken run the session's turn again. False if it `stays` overtaken. */
async function retake(tx: Transaction, sessionId: string, runId: string, stays: boolean | null): Promise<boolean> {
  const run = await readRun(tx, runId)
  if (!run?.overtaken) return true
  if (!stays) putRun(tx, sessionId, run, retaken(run))
  return !stays
}

/** The run that a request belongs to, for `declineWaiting`. */
export interface CurrentRun {
  runId: string
  /** The request continues its run and brings no new message: it does not take the turn back from a later one. */
  continues?: boolean
  /**
   * The conversation that the message belongs to, if several agents share the session. Only questions of its earlier
   * turns are declined.
   *
   * @default all open questions of the session are declined
   */
  thread?: string
}

/**
 * Makes the run the turn of its session, or of its thread, without streaming it: what earlier turns ask from now on is
 * superseded, what they wait for is declined.
 */
export async function takeTurn(
  kernel: CallKernel,
  owner: Owner,
  { runId, continues, thread }: CurrentRun,
): Promise<string[]> {
  assertIds('session.declineWaiting', { runId, ...(thread !== undefined && { thread }) })
  await kernel.ready()
  const { sessionId } = owner
  const partition = sessionPartition(owner.tenant, sessionId)
  const row = turnId(thread)
  const taken = await kernel.transact(partition, async (tx) => {
    const [session, before] = await tx.read(['session', SESSION_ROW], ['turn', row])
    claimSession(tx, { identity: { ...owner, runId, toolCallId: '', toolName: '' } }, session)
    // No session that this commit creates has questions. The next question need not count them.
    if (!session) tx.committed(() => kernel.questionRoom.counted(partition, { questions: 0, bytes: 0 }))
    // The request that brought the message of this turn has declined the questions of earlier ones.
    if (before?.runId === runId) return !continues
    // While a later turn streams, an earlier one that only reaches this point now must not take the session back.
    if (!(await retake(tx, sessionId, runId, continues || (before && !before.ended)))) return false
    if (before) await overtake(tx, sessionId, before, thread)
    tx.put('turn', row, { fence: (before?.fence ?? 0) + 1, runId, ended: true })
    // Only a message overtakes the runs of its thread, and this is the first one.
    return before !== null || thread === undefined
  })
  return taken ? await declineWaiting(kernel, partition, sessionId, { except: runId, thread }) : []
}

async function setRun(
  tx: Transaction,
  sessionId: string,
  runId: string,
  status: 'running' | 'paused' | 'completed' | 'error',
  reason?: string,
): Promise<void> {
  const run = await readRun(tx, runId)
  if (isCancelled(run)) {
    if (status === 'running') throw runCancelled(runId)
    return
  }
  // A run whose questions wait says what it waits for.
  const waits = status !== 'completed' && run && Object.keys(run.waiting).length > 0
  const next = waits ? run : setStatus(run ?? newRun(runId), status, reason)
  putRun(tx, sessionId, run, status === 'running' ? retaken(next) : next)
}

export async function stopTurn(kernel: CallKernel, { tenant, sessionId }: Owner, reason = 'stopped'): Promise<boolean> {
  await kernel.ready()
  return await kernel.transact(sessionPartition(tenant, sessionId), async (tx) => {
    const [turn] = await tx.read(['turn', turnId()])
    if (!turn || turn.ended) return false
    tx.event({ type: 'paused', timestamp: iso(tx.now), sessionId, runId: turn.runId, reason })
    await setRun(tx, sessionId, turn.runId, 'paused', reason)
    tx.put('turn', turnId(), { ...turn, fence: turn.fence + 1, ended: true })
    return true
  })
}

function createTurn(kernel: CallKernel, owner: Owner, partition: string, runId: string, fence: number): Turn {
  const { sessionId } = owner
  const writer = new TurnWriter(kernel, partition, { sessionId, runId, fence })

  const end = async (how: 'paused' | 'done' | 'error', reason?: string): Promise<'paused' | 'done' | 'error'> => {
    await writer.drained()
    const ended = await writer.guarded(async (tx, turn) => {
      const [run] = await tx.read(['run', runId])
      // A turn with open questions is not done, even if the model has finished.
      const type = how === 'done' && Object.keys(run?.waiting ?? {}).length > 0 ? 'paused' : how
      const base = { timestamp: iso(tx.now), sessionId, runId }
      if (type === 'paused') tx.event({ type, ...base, ...(reason !== undefined && { reason }) })
      const status = { paused: 'paused', done: 'completed', error: 'error' } as const
      await setRun(tx, sessionId, runId, status[type], reason)
      if (type !== 'paused') tx.event({ type: 'done', ...base })
      tx.put('turn', turnId(), { ...turn, ended: true })
      return type
    })
    writer.close()
    return ended
  }

  return {
    runId,
    signal: writer.signal,
    text: (text) => writer.write({ type: 'content', text }),
    stream: (parts) => streamInto(writer, end, parts),
    pause: async (reason) => void (await end('paused', reason)),
    done: async () => void (await end('done')),
  }
}

function runCancelled(runId: string): HoldpointError {
  return new HoldpointError(
    'run_cancelled',
    `The run "${runId}" was cancelled, so it cannot continue. Give the next turn its own run id.`,
    { details: { runId } },
  )
}
