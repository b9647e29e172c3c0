import { HoldpointError } from '@holdpoint/core'
import type { Reprompt } from '../api/questions.ts'
import { checkRequest, requestEvent, reworded, type WireRequest } from '../asking/request-event.ts'
import type { CallKernel } from '../calls/call-kernel.ts'
import { newInteractionId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { shownInput } from '../state/question-events.ts'
import type { QuestionRow } from '../state/rows.ts'

export function askAgain(kernel: CallKernel, tx: Transaction, row: QuestionRow, change: Reprompt): QuestionRow {
  if (row.prompts > kernel.limits.reprompts) {
    throw new HoldpointError(
      'reprompt_limit',
      `The question "${row.key}" was asked again ${kernel.limits.reprompts} times, and its handler wants to ask once more. Complete it with an error instead, or raise it with createHoldpoint({ limits: { reprompts } }).`,
    )
  }
  if (row.request.type !== 'interaction_request') throw questionGone(row.id)
  const kept = row.answer?.input && shownInput(row, withoutSecrets(row, row.answer.input))
  const { answer: _answer, response: _response, ...asked } = row
  return successor(kernel, tx, { ...asked, prompts: row.prompts + 1 }, reworded(row.request, change, kept))
}

/** The next attempt of the same question, under a new interaction id. */
export function successor(kernel: CallKernel, tx: Transaction, row: QuestionRow, request: WireRequest): QuestionRow {
  const id = newInteractionId(kernel.environment, tx.now)
  const { sessionId, runId, toolCallId, toolName } = row
  const attempt = row.attempt + 1
  const event = requestEvent(request, {
    ...{ sessionId, runId, toolCallId, toolName, attempt },
    interactionId: id,
    now: tx.now,
    replaces: row.id,
  })
  checkRequest(event, kernel.limits)
  const { lookAgainAt: _old, announced: _ofTheOther, ...rest } = row
  const { timeoutMs } = request
  return {
    ...rest,
    id,
    attempt,
    request: event,
    status: 'open',
    askedAt: tx.now,
    timeoutMs,
    expiresAt: tx.now + timeoutMs,
  }
}

/** Secrets are typed again: what was typed is never sent back. */
export function withoutSecrets(row: QuestionRow, input: Record<string, unknown>): Record<string, unknown> {
  const fields = row.request.type === 'interaction_request' ? (row.request.inputSchema?.fields ?? []) : []
  const secret = new Set(fields.filter(({ type }) => type === 'secret').map(({ id }) => id))
  return Object.fromEntries(Object.entries(input).filter(([id]) => !secret.has(id)))
}

export function questionGone(id: string): HoldpointError {
  return new HoldpointError(
    'question_gone',
    `The question "${id}" is no longer in the store, because its session was erased while a tool waited for it. Ask again.`,
  )
}
