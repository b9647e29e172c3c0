import type { AuthNeededEvent, InteractionRequestEvent } from '@holdpoint/core/internal'
import type { Engine } from '../../../engine/api/engine.ts'
import { decodeRow } from '../../../engine/records/row-codec.ts'
import type { QuestionRow } from '../../../engine/state/rows.ts'

/** The data of a chat part about its question: enough to find it, and to show it before the client has it. */
export interface QuestionDescriptor {
  interactionId: string
  runId: string
  toolCallId: string
  toolName: string
  kind: 'approval' | 'input' | 'connect'
  status: 'open' | 'answered' | 'closed'
  prompt?: string
  inputSchema?: unknown
  integrations?: readonly string[]
  expiresAt: string
}

export function describe(request: InteractionRequestEvent | AuthNeededEvent, runId: string): QuestionDescriptor {
  const { interactionId, toolCallId, toolName, expiresAt } = request
  const base = { interactionId, runId, toolCallId, toolName, expiresAt, status: 'open' as const }
  if (request.type === 'auth_needed') {
    const { integrations, reason } = request
    return { ...base, kind: 'connect', integrations, ...(reason !== undefined && { prompt: reason }) }
  }
  const { interactionType, prompt, inputSchema } = request
  return {
    ...base,
    kind: interactionType === 'input' ? 'input' : 'approval',
    ...(prompt !== undefined && { prompt }),
    ...(inputSchema !== undefined && { inputSchema }),
  }
}

export async function descriptorOf(
  { store }: Engine,
  partition: string,
  interactionId: string,
): Promise<QuestionDescriptor | undefined> {
  const { rows } = await store.load(['question', 'ended'].map((kind) => ({ partition, kind, id: interactionId })))
  const row = rows.find((one) => one !== null)
  if (!row) return undefined
  const { request, runId } = decodeRow('question', row.data) as QuestionRow
  return describe(request, runId)
}
