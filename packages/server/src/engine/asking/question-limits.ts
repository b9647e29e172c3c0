import { HoldpointError } from '@holdpoint/core'
import { listedPages } from '../../store/every-page.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Transaction } from '../records/transaction.ts'
import { isPending } from '../state/question.ts'
import type { OpenRequest } from './open-question.ts'

const REMOTE_OPEN = 20
const REMOTE_ASKED = 10
const REMOTE_WINDOW_MS = 60_000
const PAGE = 50
/** A question is answered after an unknown time, so a caller is advised to wait at least this long before a retry. */
const RETRY_MS = 30_000

/** Rejects a question above the limit. Reprompts are not counted, because each replaces another question. */
export async function checkQuota(
  kernel: Kernel,
  tx: Transaction,
  { remote }: Pick<OpenRequest, 'remote'>,
): Promise<void> {
  const { questionRoom: room } = kernel
  if (remote === undefined && room.has(tx.partition)) {
    return
  }
  const max = kernel.limits.openQuestions
  const rows = await kernel.store.list(tx.partition, 'question', { limit: max })
  if (rows.length >= max) {
    throw tooMany(`This session has ${rows.length} unanswered questions; the limit is ${max}`)
  }
  const bytes = rows.reduce((sum, { data }) => sum + data.length, 0)
  if (bytes >= kernel.limits.openQuestionBytes) {
    throw tooMany(
      `The open questions of this session take ${bytes} characters; ${kernel.limits.openQuestionBytes} is the limit`,
    )
  }
  room.counted(tx.partition, { questions: rows.length, bytes })
  if (remote === undefined) return
  const open = kernel.rows.all('question', rows).filter((row) => row.remote === remote)
  if (open.filter(isPending).length >= REMOTE_OPEN) {
    throw tooMany(`"${remote}" keeps ${REMOTE_OPEN} questions open already`)
  }
  const since = tx.now - REMOTE_WINDOW_MS
  const recent = open.filter((row) => row.askedAt > since && row.prompts === 1).length
  if (recent + (await endedSince(kernel, tx.partition, remote, since)) >= REMOTE_ASKED) {
    throw tooMany(`"${remote}" asked ${REMOTE_ASKED} questions within a minute`, REMOTE_WINDOW_MS)
  }
}

/** Ended questions are listed newest first, so this stops at the first one that is older. */
async function endedSince(kernel: Kernel, partition: string, remote: string, since: number): Promise<number> {
  let count = 0
  for await (const { rows } of listedPages(kernel.store, partition, 'ended', { limit: PAGE })) {
    for (const row of kernel.rows.all('ended', rows)) {
      if (row.askedAt <= since) return count
      if (row.remote === remote && row.prompts === 1) count++
    }
  }
  return count
}

function tooMany(what: string, retryAfterMs = RETRY_MS): HoldpointError {
  return new HoldpointError('too_many_questions', `${what}. Wait for answers, or ask less at a time.`, {
    details: { retryAfterMs },
  })
}
