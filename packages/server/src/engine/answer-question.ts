import type { ToolInteractionResponseMessage } from '@holdpoint/core/protocol'
import { may, refusal, tenantOf } from './access.ts'
import { digestOf } from './canonical.ts'
import { type Core, questionFacts } from './core.ts'
import { judgeAction, judgeState, type Verdict } from './decide/answer.ts'
import { iso, shownInput } from './decide/transition.ts'
import { meetDeadline } from './expire.ts'
import { presencePartition, SESSION_ROW, sessionPartition } from './names.ts'
import type { Principal, Reply } from './port.ts'
import type { Answered, PresenceRow, QuestionRow, SessionRow } from './rows.ts'
import { nudge, settleIn, settleLateIn } from './settle.ts'
import type { Tx } from './tx.ts'
import { type CheckedAnswer, checkAnswer, storeSecrets } from './validate-answer.ts'

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
  for (;;) {
    const step = await core.transact<Step>(partition, async (tx) => {
      const found = await find(core, tx, principal, sessionId, message)
      if ('refuse' in found) return found.refuse
      const { row, presence } = found
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
      if (checked?.version !== row.id) return { check: row }
      if (!checked.answer.ok) return checked.answer.reply
      const answered = { ...toAnswered(message, principal, checked.answer, tx.now), digest }
      storeSecrets(tx, checked.answer)
      if (verdict.type === 'late') settleLateIn(core, tx, row, answered)
      else settleIn(core, tx, row, answered)
      return { status: 200, body: { status: 'accepted' } }
    })
    if (step === 'expire first') await meetDeadline(core, partition, message.interactionId)
    else if ('check' in step)
      checked = { version: step.check.id, answer: await checkAnswer(core, principal, step.check, message) }
    else return step
  }
}

interface Found {
  row: QuestionRow
  session: SessionRow
  presence: PresenceRow | null
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
  const [session, live, ended, presence] = await tx.read(
    ['session', SESSION_ROW],
    ['question', interactionId],
    ['ended', interactionId],
    presenceRef,
  )
  if (!session) return { refuse: refusal('not_found') }
  const found = live ?? ended
  const row = found?.toolCallId === callId ? found : null
  if (!(await may(core, principal, 'respond', session, row ?? undefined))) {
    const mayKnow = await may(core, principal, 'read', session)
    return { refuse: refusal(mayKnow ? 'forbidden' : 'not_found') }
  }
  if (!row) return { refuse: refusal('unknown_interaction') }
  return { row, session, presence: presence?.userId === principal.userId ? presence : null }
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
