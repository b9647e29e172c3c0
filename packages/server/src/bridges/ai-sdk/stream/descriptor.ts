import type { InteractionRecord } from '../../../engine/api/interactions.ts'

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

export function describe({ request, runId }: Pick<InteractionRecord, 'request' | 'runId'>): QuestionDescriptor {
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
