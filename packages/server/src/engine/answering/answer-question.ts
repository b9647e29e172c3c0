import type { ToolInteractionResponseMessage } from '@holdpoint/core/protocol'
import { may, refusal, tenantOf } from './access.ts'
import { callRefs, type Entry } from './calls.ts'
import { digestOf } from './canonical.ts'
import { type Core, questionFacts } from './core.ts'
import { judgeAction, judgeState, type Verdict } from './decide/answer.ts'
import { iso, shownInput } from './decide/transition.ts'
import { meetDeadline } from './expire.ts'
import { presencePartition, SESSION_ROW, sessionPartition } from './names.ts'
import type { Principal, Reply } from './port.ts'
import type { Answered, PresenceRow, QuestionRow, SessionRow } from './rows.ts'
import { nudge, settleLateIn } from './settle.ts'
import { settleWaitedIn } from './settle-waited.ts'
import type { Tx } from './tx.ts'
import { type CheckedAnswer, checkAnswer, nothingToCheck, storeSecrets } from './validate-answer.ts'
import type { Waiter } from './waiter.ts'

type Message = ToolInteractionResponseMessage
type Step = Reply | 'expire first' | { check: QuestionRow }

/** One client's answer: authorised, validated, and only then offered for the one place that there is. */
export async function answerQuestion(
  core: Core,
  principal: Principal,
  sessionId: string,
  message: Message,
): Promise<Reply> {
  await core.ready()
  const partition = sessionPartition(tenantOf(principal), sessionId)
  // What fails validation must not have touched the question, and what takes time must not hold a transaction.
  let checked: { version: string; answer: CheckedAnswer } | undefined
  // The waiter of this process that the commit under way will tell by itself.
  let told: Waiter | undefined
  const release = () => {
    if (told) core.waiters.release(told)
    told = undefined
  }
  const attempt = async (tx: Tx): Promise<Step> => {
    release()
    const found = await find(core, tx, principal, sessionId, message)
    if ('refuse' in found) return found.refuse
    const { row, presence, waiting } = found
    const digest = answerDigest(row, message)
    const verdict = judgeState(row, message.answerId, digest, tx.now)
    if (verdict.type === 'expire_first') return 'expire first'
    if (verdict.type === 'replay') {
      // Whoever wrote it may have died before it could wake anybody.
      tx.committed(() => nudge(core, partition, row))
      return { status: 200, body: { status: 'accepted', replayed: true } }
    }
    if (verdict.type === 'refuse') return refused(core, row, verdict, tx.now)
    const wrong = judgeAction(row, message.action, message.approvalScope)
    if (wrong) return refused(core, row, { type: 'refuse', code: wrong }, tx.now)
    if (presence && !presence.enabled) return refused(core, row, { type: 'refuse', code: 'not_interactive' }, tx.now)
    const answer = checked?.version === row.id ? checked.answer : nothingToCheck(row, message)
    if (!answer) return { check: row }
    if (!answer.ok) return answer.reply
    const answered = { ...toAnswered(message, principal, answer, tx.now), digest }
    storeSecrets(tx, answer)
    if (verdict.type === 'late') settleLateIn(core, tx, row, answered)
    else told = settleWaitedIn(core, tx, waiting, row, answered)
    return { status: 200, body: { status: 'accepted' } }
  }
  try {
    for (;;) {
      const step = await core.transact(partition, attempt)
      if (step === 'expire first') await meetDeadline(core, partition, message.interactionId)
      else if ('check' in step)
        checked = { version: step.check.id, answer: await checkAnswer(core, principal, step.check, message) }
      else return step
    }
  } finally {
    release()
  }
}

interface Found {
  row: QuestionRow
  session: SessionRow
  presence: PresenceRow | null
  /** Whoever waits for it in this process, with what its writes rest on. */
  waiting: { waiter: Waiter; rows: Entry } | undefined
}

/** Whoever may not see a question learns nothing of it, not even that its session exists. */
async function find(
  core: Core,
  tx: Tx,
  principal: Principal,
  sessionId: string,
  { interactionId, clientId, callId }: Message,
): Promise<Found | { refuse: Reply }> {
  const presenceRef = ['presence', clientId, presencePartition(tenantOf(principal), sessionId)] as const
  const waiter = core.waiters.find(tx.partition, interactionId)
  const [, ...callsOwn] = waiter ? callRefs(waiter.execution) : []
  const [session, live, ended, presence, ...calls] = await tx.read(
    ['session', SESSION_ROW],
    ['question', interactionId],
    ['ended', interactionId],
    presenceRef,
    ...callsOwn,
  )
  if (!session) return { refuse: refusal('not_found') }
  const found = live ?? ended
  const row = found?.toolCallId === callId ? found : null
  if (!(await may(core, principal, 'respond', session, row ?? undefined))) {
    const mayKnow = await may(core, principal, 'read', session)
    return { refuse: refusal(mayKnow ? 'forbidden' : 'not_found') }
  }
  if (!row) return { refuse: refusal('unknown_interaction') }
  const waiting = waiter && { waiter, rows: [session, ...calls] as unknown as Entry }
  return { row, session, presence: presence?.userId === principal.userId ? presence : null, waiting }
}

function refused(core: Core, row: QuestionRow, verdict: Extract<Verdict, { type: 'refuse' }>, now: number): Reply {
  const { code, respondedBy, respondedAt, retryAfterMs } = verdict
  core.emit({ type: 'refused', ...questionFacts(row, now), code })
  return refusal(code, {
    ...(respondedBy && { respondedBy }),
    ...(respondedAt !== undefined && { respondedAt: iso(respondedAt) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Tells a retry of an answer from another answer under its id. Secrets stay out: a digest of a PIN is the PIN. */
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
