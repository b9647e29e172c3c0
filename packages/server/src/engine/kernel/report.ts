import { errorFacts } from '../../base/logger.ts'
import type { CallRow, QuestionRow } from '../state/rows.ts'
import type { Kernel } from './kernel.ts'

/** The facts that a step of a question is reported with. */
export function questionFacts(row: QuestionRow, at: number) {
  return {
    at,
    tenant: row.tenant,
    sessionId: row.sessionId,
    runId: row.runId,
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    interactionId: row.id,
    kind: row.kind,
    attempt: row.attempt,
    ...(row.traceparent !== undefined && { traceparent: row.traceparent }),
    ...(row.answeredIn !== undefined && { answeredIn: row.answeredIn }),
  }
}

/** Each question is reported as asked once, and as closed once. */
export function reportClosed(kernel: Kernel, row: QuestionRow, at: number): void {
  const { outcome } = row
  const refusal = outcome?.type === 'refused' ? outcome.outcome : undefined
  kernel.emit({
    type: 'closed',
    ...questionFacts(row, at),
    outcome: refusal ?? outcome?.type ?? row.status,
    ...(refusal && { refusal }),
    waitedMs: at - row.askedAt,
  })
}

/** The trace in which this happens, as the host's hook knows it. */
export function traceContext({ settings, log }: Kernel): string | undefined {
  try {
    return settings.traceparent?.()
  } catch (error) {
    log.warn('traceparent threw', errorFacts(error))
    return undefined
  }
}

export function callFacts(session: { tenant: string; sessionId: string }, call: CallRow, at: number) {
  const { runId, toolCallId, toolName } = call
  return { at, tenant: session.tenant, sessionId: session.sessionId, runId, toolCallId, toolName }
}
