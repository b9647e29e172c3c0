import { HoldpointError } from '@holdpoint/core'
import { Deferred } from '../../base/deferred.ts'
import { errorFacts } from '../../base/logger.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import { type Opened, type OpenRequest, openQuestion } from '../asking/open-question.ts'
import { claimSession } from '../calls/claim-call.ts'
import type { Execution } from '../calls/execution.ts'
import { untilStored } from '../calls/until-stored.ts'
import type { Remembered } from '../consent/remembered.ts'
import { leaveQuestion } from '../ending/abandon-question.ts'
import { completeEntered } from '../ending/conclude.ts'
import { questionFacts } from '../kernel/report.ts'
import { SESSION_ROW } from '../records/keys.ts'
import type { QuestionRow } from '../state/rows.ts'
import { stopsAt } from './stops-at.ts'
import type { Behavior, Waiter } from './waiter.ts'
import type { WaitingKernel } from './waiting-kernel.ts'

/** A question with what its tool does about it. */
export interface PreparedQuestion extends Omit<OpenRequest, 'key'> {
  key: string | undefined
  behavior: Behavior
  whenUnavailable: 'wait' | 'throw'
  /** The users who may answer besides the owner. */
  audience: readonly string[]
}

/** A session that was created this shortly before its first question had no users yet. */
const JUST_MADE_MS = 250

export type Interacted = { type: 'value'; value: unknown } | { type: 'remembered'; remembered: Remembered }

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
    void openAndWait(participant, interaction, new Deferred(resolve, reject))
  })
}

async function openAndWait(
  participant: Participant,
  interaction: PreparedQuestion,
  promised: Deferred<Interacted>,
): Promise<void> {
  const { kernel, execution, detachSignal } = participant
  let opening: QuestionRow | undefined
  const expect = (row: QuestionRow | undefined) => {
    if (opening) kernel.waiters.unexpect(opening)
    opening = row
    if (row) kernel.waiters.expect(execution.partition, row)
  }
  try {
    detachSignal?.throwIfAborted()
    if (kernel.settings.waiting === 'suspend' && execution.waiter === 'inline') {
      throw suspendNeedsTool(execution.identity.toolName)
    }
    const key = nameQuestion(execution, interaction, promised)
    await untilStored(kernel, execution, () => kernel.ready())
    // A question that waits for users who are absent needs no look at who is present before it is asked.
    if (interaction.whenUnavailable === 'throw') await assertAvailable(participant, key, interaction)
    const asking = { ...interaction, key, ...concluding(participant, interaction.behavior) }
    const opened = await execution.queue.run('', () =>
      untilStored(kernel, execution, () => openQuestion(kernel, execution, asking, expect)),
    )
    if (opened.type === 'remembered') return promised.resolve(opened)
    if (opened.type === 'settled') return promised.resolve({ type: 'value', value: opened.value })
    waitFor(participant, opened, interaction.behavior, promised)
  } catch (error) {
    promised.reject(error)
  } finally {
    expect(undefined)
  }
}

/**
 * A suspended call, or one of a process that died, is run again after its answer. If the outcome follows from that answer
 * alone, it is recorded by the commit that finds the question. A caller that may leave meanwhile needs a waiter for that.
 */
function concluding(
  { kernel, execution, detachSignal }: Participant,
  behavior: Behavior,
): Pick<OpenRequest, 'plain' | 'conclude'> {
  if (detachSignal) return {}
  const plain = (row: QuestionRow) => {
    const answer = row.status === 'answered' && !row.outcome ? row.answer : undefined
    return answer && behavior.plain?.(answer, row)
  }
  return {
    plain,
    conclude(tx, entered, row) {
      const outcome = plain(row)
      if (!outcome || !mayConclude(execution)) return null
      tx.committed(() => kernel.calls.keepLatestRows(execution, tx.rowsAfterCommit('ended', row.id)))
      return completeEntered(kernel, tx, entered, row, outcome)
    },
  }
}

/**
 * A gate may conclude in the commit that claims its call, because `runTool` claims it again, and so may an execution that
 * begins its call, because its claim is checked again before the tool runs. Any other execution has claimed it before, so
 * that its outcome is a second check of its fence before the tool continues.
 */
const mayConclude = ({ fence, waiter, begin }: Execution): boolean => fence > 0 || waiter === 'gate' || !!begin

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

/**
 * Returns the name of a question under this key. Asking under one key again in the same execution, as a loop does, gets
 * the next name.
 */
export function nextName(execution: Execution, key: string): string {
  const times = execution.counted(`key ${key}`) + 1
  return times === 1 ? key : `${key}#${times}`
}

function waitFor(
  { kernel, execution, detachSignal }: Participant,
  { row, asked }: Extract<Opened, { type: 'question' }>,
  behavior: Behavior,
  promised: Deferred<Interacted>,
): void {
  const report = () => {
    if (!asked) return
    kernel.emit({ type: 'asked', ...questionFacts(row, row.askedAt) })
    warnOfPlatform(kernel, row)
    // The user's remembered approvals are in another partition. One that was written since they were read is found now.
    if (row.rememberedKey !== undefined) {
      kernel.background('looking for a remembered approval', kernel.lookForApproval(row))
    }
  }
  if (row.status === 'open' && stopsAt(execution, row.id, (error) => promised.reject(error))) {
    report()
    return
  }
  if (detachSignal) detachWith(detachSignal, promised, () => leave(kernel, waiter, row.shortcut))
  const waiter = kernel.waiters.wait(execution, row, behavior, promised)
  // An answer that comes at once finds its waiter, so one commit can record it with its outcome.
  report()
  if (!row.outcome) show(kernel, waiter, row)
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
    'The caller that waited for this answer has stopped. The question stays open: ask again under the same key, or receive the answer through onToolResult or onFollowUp.',
    'AbortError',
  )
}

async function assertAvailable(participant: Participant, key: string, interaction: PreparedQuestion): Promise<void> {
  const { kernel, execution } = participant
  const { tenant, sessionId, userId } = execution.identity
  const { able } = await untilStored(kernel, execution, () => kernel.presence.watching(tenant, sessionId))
  if ([userId, ...interaction.audience].some((user) => able.has(user))) return
  await waitForAudience(participant, key, interaction)
}

/** The users who look at the session already see the question now. Those who come later report themselves. */
function show(kernel: WaitingKernel, waiter: Waiter, row: QuestionRow): void {
  const { identity, madeSessionAt } = waiter.execution
  const { tenant, sessionId } = identity
  const { presence, environment } = kernel
  const known = presence.justSeen(tenant, sessionId)
  if (known) {
    waiter.show(known.able, row.askedAt)
    return
  }
  // No user could look at a session that did not exist.
  if (madeSessionAt !== undefined && environment.now() - madeSessionAt < JUST_MADE_MS) return
  const looking = presence.watching(tenant, sessionId).then(({ able }) => waiter.show(able, row.askedAt))
  kernel.background('looking for users who see a question', looking)
}

/** Gives people a while to appear. A question that stands already is waited for without asking who is there. */
async function waitForAudience(
  { kernel, execution, detachSignal }: Participant,
  key: string,
  { audience }: PreparedQuestion,
): Promise<void> {
  const known = await untilStored(kernel, execution, () =>
    kernel.transact(execution.partition, async (tx) => {
      const [session, call] = await tx.read(['session', SESSION_ROW], ['call', execution.id])
      // No user can connect to a session that does not exist.
      claimSession(tx, execution, session)
      return call?.keys[key] !== undefined
    }),
  )
  if (known) return
  const appeared = await kernel.presence.appears(
    execution.identity,
    [execution.identity.userId, ...audience],
    kernel.settings.presenceGraceMs,
    detachSignal ? AbortSignal.any([detachSignal, execution.signal]) : execution.signal,
  )
  if (!appeared) throw new InteractionRefused('unavailable')
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
