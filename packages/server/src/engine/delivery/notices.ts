import type { AskedNotice, SettledNotice } from '../api/deliveries.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import { audienceOf, isPending } from '../state/question.ts'
import type { DeliveryRow, QuestionRow } from '../state/rows.ts'

type Asked = Extract<DeliveryRow, { type: 'asked' | 'reminder' }>
type Settled = Extract<DeliveryRow, { type: 'settled' }>

/** The question of a delivery while it can be answered; null when it was settled or erased meanwhile. */
export async function pendingQuestion(kernel: Kernel, row: Asked): Promise<QuestionRow | null> {
  const partition = sessionPartition(row.tenant, row.sessionId)
  const question = await kernel.transact(partition, (tx) => readQuestion(tx, row.interactionId))
  return question && isPending(question) ? question : null
}

/** Read when it is delivered, so that it shows what is true then; null when the question is settled. */
export async function askedNotice(kernel: Kernel, row: Asked): Promise<AskedNotice | null> {
  const question = await pendingQuestion(kernel, row)
  if (!question) return null
  const { interactionId, kind, sessionId, tenant, userId } = row
  const { request, expiresAt } = question
  const prompt = request.type === 'interaction_request' ? request.prompt : request.reason
  const audience = audienceOf(question)
  const unseen = await kernel.unseenForMs({ tenant, sessionId }, [userId, ...audience])
  const url = kernel.settings.questionUrl?.({ sessionId, interactionId })
  const replaces = request.type === 'interaction_request' ? request.replaces : undefined
  return {
    ...addressOf(row),
    interactionId,
    kind,
    reminder: row.type === 'reminder' ? row.number : 0,
    ...(prompt !== undefined && { prompt }),
    audience,
    expiresAt: new Date(expiresAt),
    ...(replaces !== undefined && { replaces }),
    present: [...unseen.values()].includes(0),
    ...(url !== undefined && { url }),
  }
}

export function settledNotice(row: Settled): SettledNotice {
  const { interactionId, kind, outcome, wake } = row
  return { ...addressOf(row), interactionId, kind, outcome, ...(wake !== undefined && { wake }) }
}

/** Whose a delivery is. */
export function addressOf({ deliveryId, tenant, sessionId, userId, runId, toolCallId, toolName }: DeliveryRow) {
  return { deliveryId, tenant, sessionId, userId, runId, toolCallId, toolName }
}
