import type { Kernel } from '../kernel/kernel.ts'
import type { QuestionRow } from '../state/rows.ts'

/** Warns that an answer will be delivered as a follow-up because no process registers its tool. */
export function warnOfUnknownTool(
  kernel: Kernel,
  { sessionId, runId, toolCallId, toolName }: Pick<QuestionRow, 'sessionId' | 'runId' | 'toolCallId' | 'toolName'>,
): void {
  kernel.log.warn(
    `the tool ${toolName} is not registered here, and a call of it waits to be run again: register it with holdpoint.tool before holdpoint.recover(); answers to its questions are delivered to onFollowUp after orphanAfterMs`,
    { code: 'tool_not_registered', sessionId, runId, toolCallId, toolName },
  )
}
