import { needsShownDigest, type ToolInteractionResponseMessage } from '@holdpoint/core/internal'
import { digestOf, digestOfShown } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import { may, refusal, tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import { callRefs, type Entry } from '../calls/claim-call.ts'
import { isPartial } from '../consent/remembered.ts'
import { enforceDeadline } from '../ending/expire.ts'
import { questionFacts } from '../kernel/report.ts'
import { presencePartition, SESSION_ROW, sessionPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { judgeAction, judgeState, type Verdict } from '../state/judge-answer.ts'
import { iso, shownInput } from '../state/question-events.ts'
import type { Answered, PresenceRow, QuestionRow, SessionRow } from '../state/rows.ts'
import type { Waiter } from '../waiting/waiter.ts'
import type { AnsweringKernel } from './answering-kernel.ts'
import { settleLateIn, wakeWaiters } from './settle.ts'
import { settleWaitedIn } from './settle-and-conclude.ts'
import { hasUploads } from './uploads.ts'
import { type CheckedAnswer, checkAnswer, nothingToCheck, storeSecrets } from './validate-answer.ts'

type Message = ToolInteractionResponseMessage
type Step = Reply | 'expire first' | { check: QuestionRow }

interface Addressing {
  /** Accepts an answer of any call: code that answers may know the interaction only. */
  anyCall?: boolean
}

/** Authorizes and validates an answer, and then commits it if the question has no answer yet. */
export async function answerQuestion(
  kernel: AnsweringKernel,
  principal: Principal,
  sessionId: string,
  message: Message,
  { anyCall = false }: Addressing = {},
): Promise<Reply> {
  await kernel.ready()
  const unseen = checkShown(message)
  if (unseen) return unseen
  const partition = sessionPartition(tenantOf(principal), sessionId)
  // Validation must not change the question, and slow work must not hold a transaction.
  let checked: { version: string; answer: CheckedAnswer } | undefined
  // The waiter in this process that the running commit notifies itself.
  let heldWaiter: Waiter | undefined
  const release = () => {
    if (heldWaiter) kernel.waiters.release(heldWaiter)
    heldWaiter = undefined
  }
  let attempts = 0
  const attempt = async (tx: Transaction): Promise<Step> => {
    release()
    const found = await find(kernel, tx, principal, sessionId, message, { anyCall, attempts: attempts++ })
    if ('refuse' in found) return found.refuse
    const { row, session, presence, waiting } = found
    const digest = answerDigest(row, message)
    const { answerId } = message
    const verdict = judgeState(row, { answerId, userId: principal.userId, digest }, tx.now)
    if (verdict.type === 'expire_first') return 'expire first'
    if (verdict.type === 'replay') {
      // The process that wrote it may have died before it could notify others.
      tx.committed(() => wakeWaiters(kernel, partition, row))
      return { status: 200, body: { status: 'accepted', replayed: true } }
    }
    if (verdict.type === 'refuse') return refused(kernel, row, verdict, tx.now)
    const wrong = judgeAction(row, message.action, message.approvalScope)
    if (wrong === 'scope_not_offered' && message.action !== 'approve') {
      return refused(kernel, row, scopeOf(message.action), tx.now)
    }
    if (wrong) return refused(kernel, row, { type: 'refuse', code: wrong }, tx.now)
    if (message.shownDigest !== undefined && message.shownDigest !== digestOfShown(row.request)) {
      return refused(kernel, row, { type: 'refuse', code: 'shown_differs' }, tx.now)
    }
    if (presence && !presence.enabled) return refused(kernel, row, { type: 'refuse', code: 'not_interactive' }, tx.now)
    const answer = checked?.version === row.id ? checked.answer : nothingToCheck(row, message)
    if (!answer) return { check: row }
    if (!answer.ok) return answer.reply
    // A file was replaced after the check, so the answer is checked again.
    if (!(await hasUploads(tx, row, answer.input))) return { check: row }
    const wider = isWider(message)
    const { diffDecisions } = message
    if (wider && isPartial(row, { args: answer.args, diffDecisions })) return refused(kernel, row, ONCE_ONLY, tx.now)
    // An approval by a user other than the owner spares the owner no further question.
    const counted = wider && !(await may(kernel, principal, 'remember', session, row)) ? ONCE : {}
    const answered = { ...toAnswered(message, principal, answer, tx.now), ...counted, digest }
    storeSecrets(tx, answer)
    if (verdict.type === 'late') settleLateIn(kernel, tx, row, answered)
    else heldWaiter = settleWaitedIn(kernel, tx, waiting, row, answered)
    return { status: 200, body: { status: 'accepted' } }
  }
  try {
    for (;;) {
      const step = await kernel.transact(partition, attempt)
      if (step === 'expire first') await enforceDeadline(kernel, partition, message.interactionId)
      else if ('check' in step)
        checked = { version: step.check.id, answer: await checkAnswer(kernel, principal, step.check, message) }
      else return step
    }
  } finally {
    release()
  }
}

/** The message schema rejects this as well, but some surfaces do not use that schema. */
function checkShown({ action, shownDigest }: Message): Reply | undefined {
  if (shownDigest !== undefined || !needsShownDigest(action)) return undefined
  const message = 'The message is malformed at shownDigest: is missing: an approval or a form names what was on screen.'
  return refusal('invalid_message', { message, path: 'shownDigest' })
}

interface Found {
  row: QuestionRow
  session: SessionRow
  presence: PresenceRow | null
  /** The waiter of this process, with the rows that its writes depend on. */
  waiting: { waiter: Waiter; rows: Entry } | undefined
}

/** Rejects a user without access in the same way as for a session that does not exist. */
async function find(
  kernel: AnsweringKernel,
  tx: Transaction,
  principal: Principal,
  sessionId: string,
  { interactionId, clientId, callId }: Message,
  { anyCall, attempts }: { anyCall: boolean; attempts: number },
): Promise<Found | { refuse: Reply }> {
  const presenceRef = ['presence', clientId, presencePartition(tenantOf(principal), sessionId)] as const
  const waiter = kernel.waiters.find(tx.partition, interactionId)
  const [, ...callsOwn] = waiter ? callRefs(waiter.execution) : []
  const [session, live, presence, ...calls] = await tx.read(
    ['session', SESSION_ROW],
    ['question', interactionId],
    presenceRef,
    ...callsOwn,
  )
  const ended = await readEnded(tx, interactionId, live !== null && attempts === 0)
  if (!session) return { refuse: refusal('not_found') }
  const found = live ?? ended
  const row = anyCall || found?.toolCallId === callId ? found : null
  if (!(await may(kernel, principal, 'respond', session, row ?? undefined))) {
    const mayKnow = await may(kernel, principal, 'read', session)
    return { refuse: refusal(mayKnow ? 'forbidden' : 'not_found') }
  }
  if (!row) return { refuse: refusal('unknown_interaction') }
  const waiting = waiter && { waiter, rows: [session, ...calls] as unknown as Entry }
  return { row, session, presence: presence?.userId === principal.userId ? presence : null, waiting }
}

/** A question has one row. The row of an ended question is read only if no open one exists, or after a lost race. */
async function readEnded(tx: Transaction, id: string, isLive: boolean): Promise<QuestionRow | null> {
  if (isLive) {
    tx.assumeNone('ended', id)
    return null
  }
  const [ended] = await tx.read(['ended', id])
  return ended
}

const ONCE = { approvalScope: 'once' } as const

/** A wider scope was offered for the unchanged request. The person decides whether an approval for once is enough. */
const ONCE_ONLY = {
  type: 'refuse',
  code: 'scope_not_offered',
  message:
    'An approval with changed arguments or with a part of the diff counts once. Send it with approvalScope "once", or approve what was asked as a whole.',
} as const

const scopeOf = (action: string) =>
  ({
    type: 'refuse',
    code: 'scope_not_offered',
    message: `Only an approval has a scope, and this answer is a ${action}. Send it without approvalScope; the question is still open.`,
  }) as const

const isWider = ({ action, approvalScope = 'once' }: Message) => action === 'approve' && approvalScope !== 'once'

type Refusal = Extract<Verdict, { type: 'refuse' }> & { message?: string }

function refused(kernel: AnsweringKernel, row: QuestionRow, verdict: Refusal, now: number): Reply {
  const { code, message, respondedBy, respondedAt, retryAfterMs } = verdict
  kernel.emit({ type: 'refused', ...questionFacts(row, now), code })
  return refusal(code, {
    ...(message !== undefined && { message }),
    ...(respondedBy && { respondedBy }),
    ...(respondedAt !== undefined && { respondedAt: iso(respondedAt) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/**
 * Distinguishes a retry of an answer from another answer with the same id. Secrets are left out, because a short secret
 * could be guessed from its digest.
 */
function answerDigest(row: QuestionRow, message: Message): string {
  const { action, approvalScope, args, diffDecisions, reason, input } = message
  return digestOf([action, approvalScope, args, diffDecisions, reason, input && shownInput(row, input)])
}

function toAnswered(
  message: Message,
  principal: Principal,
  { input, args }: Extract<CheckedAnswer, { ok: true }>,
  now: number,
): Omit<Answered, 'digest'> {
  const { answerId, action, approvalScope, diffDecisions, reason, clientId } = message
  return {
    answerId,
    at: now,
    by: { userId: principal.userId, ...(principal.name !== undefined && { name: principal.name }), clientId },
    action,
    ...(approvalScope && { approvalScope }),
    ...(input && { input }),
    ...(args !== undefined && { args }),
    ...(diffDecisions && { diffDecisions }),
    ...(reason !== undefined && { reason }),
  }
}
