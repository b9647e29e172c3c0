import { HoldpointError } from '@holdpoint/core'
import { Deferred } from '../../base/deferred.ts'
import { errorFacts } from '../../base/logger.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import { type OpenRequest, openQuestion } from '../asking/open-question.ts'
import { claimSession } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import type { Granted } from '../consent/grants.ts'
import { leaveQuestion } from '../ending/abandon-question.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { SESSION_ROW } from '../records/keys.ts'
import type { QuestionRow } from '../state/rows.ts'
import type { Behaviour, Waiter } from './waiter.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** A question with what its tool does about it. */
export interface PreparedQuestion extends Omit<OpenRequest, 'key'> {
  key: string | undefined
  behaviour: Behaviour
  whenUnavailable: 'wait' | 'throw'
  /** Who may answer besides the owner. */
  audience: readonly string[]
}

export type Interacted = { type: 'value'; value: unknown } | { type: 'granted'; granted: Granted }

/** How a context takes part: what its process does while a question is open, and when it goes away. */
export interface Participant {
  kernel: WaitingKernel
  execution: Execution
  /** Aborted when the page or request is gone that started all this. */
  detachSignal: AbortSignal | undefined
}

/**
 * Asks, waits, and returns the result of the tool's handlers. While a person decides, this holds one promise and the
 * waiter that settles it, because a process may have a hundred thousand of them.
 */
export function askAndWait(participant: Participant, interaction: PreparedQuestion): Promise<Interacted> {
  return new Promise((resolve, reject) => {
    void begin(participant, interaction, new Deferred(resolve, reject))
  })
}

async function begin(
  participant: Participant,
  interaction: PreparedQuestion,
  promised: Deferred<Interacted>,
): Promise<void> {
  const { kernel, execution, detachSignal } = participant
  try {
    detachSignal?.throwIfAborted()
    if (kernel.settings.waiting === 'suspend' && execution.waiter === 'inline') {
      throw suspendNeedsTool(execution.identity.toolName)
    }
    const key = nameQuestion(execution, interaction, promised)
    await retryUntilStored(kernel, () => kernel.ready())
    let able = await retryUntilStored(kernel, () => canAnswer(kernel, execution, interaction.audience))
    if (!able && interaction.whenUnavailable === 'throw') able = await waitForSomebody(participant, key, interaction)
    const opened = await execution.queue.run('', () =>
      retryUntilStored(kernel, () => openQuestion(kernel, execution, { ...interaction, key })),
    )
    if (opened.type === 'granted') return promised.resolve(opened)
    if (opened.asked) warnOfPlatform(kernel, opened.row)
    waitFor(participant, opened.row, interaction.behaviour, promised)
  } catch (error) {
    promised.reject(error)
  }
}

/** The key that finds this question again in a re-run. */
function nameQuestion(execution: Execution, { key, kind }: PreparedQuestion, promised: Deferred<Interacted>): string {
  if (key !== undefined) {
    const name = nextName(execution, key)
    execution.count(`key ${key}`)
    return name
  }
  if (execution.unkeyed) {
    throw new HoldpointError(
      'key_required',
      'This tool call asks two things at the same time, and neither has a key: a re-run could not tell which answer belongs to which. Give each its own `key`.',
    )
  }
  execution.unkeyed = true
  promised.cleanup = () => {
    execution.unkeyed = false
  }
  return `${kind}#${execution.count(kind)}`
}

/** What a question under this key is called. Asking under one key again in the same execution is the next of its name: a loop. */
export function nextName(execution: Execution, key: string): string {
  const times = execution.counted(`key ${key}`) + 1
  return times === 1 ? key : `${key}#${times}`
}

function waitFor(
  { kernel, execution, detachSignal }: Participant,
  row: QuestionRow,
  behaviour: Behaviour,
  promised: Deferred<Interacted>,
): void {
  if (execution.waiter === 'gate' && row.status === 'open') throw interactionWaiting(row.id)
  // Where waiting means ending, nothing comes after this.
  if (execution.onSuspend && row.status === 'open') {
    execution.onSuspend(row.id)
    return
  }
  if (detachSignal) detachWith(detachSignal, promised, () => leave(kernel, waiter, row.shortcut))
  const waiter = kernel.waiters.wait(execution, row, behaviour, promised)
  const { tenant, sessionId } = execution.identity
  waiter.show(kernel.presence.lastKnown(tenant, sessionId)?.able ?? new Set(), row.askedAt)
  if (detachSignal?.aborted) leave(kernel, waiter, row.shortcut)
}

/** Listens while there are waiters. */
function detachWith(signal: AbortSignal, promised: Deferred<Interacted>, detach: () => void): void {
  const { cleanup } = promised
  promised.cleanup = () => {
    signal.removeEventListener('abort', detach)
    cleanup?.()
  }
  signal.addEventListener('abort', detach, { once: true })
}

function leave(kernel: WaitingKernel, waiter: Waiter, shortcut: boolean): void {
  waiter.detach(abortError())
  if (shortcut)
    void abandon(kernel, waiter.execution, waiter.interactionId).finally(() => kernel.waiters.remove(waiter))
}

/** A shortcut has no handlers to leave behind: its answer waits to be asked for again, then becomes a follow-up. */
async function abandon(kernel: WaitingKernel, execution: Execution, id: string): Promise<void> {
  await leaveQuestion(kernel, execution.partition, id).catch((error) =>
    kernel.log.warn('a question could not be left to its answer', { interactionId: id, ...errorFacts(error) }),
  )
}

function abortError(): DOMException {
  return new DOMException(
    'Whoever waited for this answer went away. The question stays: ask again under the same key, or receive it through onToolResult or onFollowUp.',
    'AbortError',
  )
}

async function canAnswer(
  kernel: WaitingKernel,
  { identity }: Execution,
  audience: readonly string[],
): Promise<boolean> {
  const { able } = await kernel.presence.watching(identity.tenant, identity.sessionId)
  return [identity.userId, ...audience].some((user) => able.has(user))
}

/** Gives people a while to appear. A question that stands already is waited for without asking who is there. */
async function waitForSomebody(
  { kernel, execution, detachSignal }: Participant,
  key: string,
  { audience }: PreparedQuestion,
): Promise<boolean> {
  const known = await retryUntilStored(kernel, () =>
    kernel.transact(execution.partition, async (tx) => {
      const [session, call] = await tx.read(['session', SESSION_ROW], ['call', execution.id])
      // No user can connect to a session that does not exist.
      claimSession(tx, execution, session)
      return call?.keys[key] !== undefined
    }),
  )
  if (known) return false
  const appeared = await kernel.presence.appears(
    execution.identity,
    [execution.identity.userId, ...audience],
    kernel.settings.presenceGraceMs,
    detachSignal ? AbortSignal.any([detachSignal, execution.signal]) : execution.signal,
  )
  if (!appeared) throw new InteractionRefused('unavailable')
  return true
}

/** If the platform ends a request after a while, its waiting code ends too. */
function warnOfPlatform(kernel: WaitingKernel, { id, timeoutMs, waiter }: QuestionRow): void {
  const { maxDurationMs } = kernel.settings
  if (maxDurationMs === undefined || waiter !== 'inline' || timeoutMs <= maxDurationMs) return
  kernel.log.warn(
    `a question may wait for ${timeoutMs} ms, and this platform ends the process after ${maxDurationMs} ms: use waiting: 'suspend' with registered tools, or a shorter timeoutMs`,
    { code: 'serverless_deadline', interactionId: id },
  )
}

function suspendNeedsTool(toolName: string): HoldpointError {
  return new HoldpointError(
    'suspend_needs_tool',
    `With waiting: 'suspend' this process ends while a question is open, and the code around session.toolCall("${toolName}") could not be run again. Register it with holdpoint.tool(...) and call it with session.runTool(...).`,
  )
}

/** What a gate rejects with: asked, and not answered yet. */
function interactionWaiting(interactionId: string): HoldpointError {
  return new HoldpointError(
    'interaction_waiting',
    'The question is open and this call does not wait for it. Ask again in the same way once it is settled.',
    { details: { interactionId } },
  )
}
