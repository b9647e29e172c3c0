import { leaveQuestion } from '../ending/abandon-question.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { sessionIdOf } from '../records/keys.ts'
import type { QuestionRow } from '../state/rows.ts'

/**
 * A call of a process that is gone, whose tool this process does not register. A process that does may still come and
 * run it again; until then its questions wait for nobody, so that an answer leaves as a follow-up after `orphanAfterMs`
 * instead of waiting for ever.
 */
export async function leaveCallOfUnknownTool(
  kernel: Kernel,
  partition: string,
  id: string,
  owner: string,
): Promise<void> {
  const [row] = await kernel.transact(partition, (tx) => tx.read(['call', id]))
  // Another process may have taken it over meanwhile.
  if (!row?.registered || row.owner !== owner || row.status === 'finished' || kernel.tools.find(row.toolName)) return
  const { runId, toolCallId, toolName } = row
  warnOfUnknownTool(kernel, { sessionId: sessionIdOf(partition), runId, toolCallId, toolName })
  for (const { interactionId } of Object.values(row.keys)) await leaveQuestion(kernel, partition, interactionId)
}

/** Logged wherever an answer would be lost without a follow-up. */
export function warnOfUnknownTool(
  kernel: Kernel,
  { sessionId, runId, toolCallId, toolName }: Pick<QuestionRow, 'sessionId' | 'runId' | 'toolCallId' | 'toolName'>,
): void {
  kernel.log.warn(
    `the tool ${toolName} is not registered here, and a call of it waits to be run again: register it with holdpoint.tool before holdpoint.recover(); answers to its questions are delivered to onFollowUp after orphanAfterMs`,
    { code: 'tool_not_registered', sessionId, runId, toolCallId, toolName },
  )
}
