import { cursorAt } from '@holdpoint/core/wire'
import type { HoldpointEvent, InteractionRequestEvent } from '../../src/protocol/events.ts'
import type { SessionSnapshot } from '../../src/protocol/snapshot.ts'

/** Events as a server writes them, for tests: short to write, complete in shape. */
const at = '2026-01-02T03:04:05.000Z'
export const sessionId = 'task-42'
export const expiresAt = '2026-01-02T03:09:05.000Z'
const base = { timestamp: at, sessionId }

type Extra = Record<string, unknown>

export const request = (interactionId: string, extra: Extra = {}) =>
  ({
    type: 'interaction_request',
    ...base,
    runId: 'run-1',
    toolCallId: 'call-1',
    toolName: 'delete_files',
    interactionId,
    interactionType: 'approval',
    prompt: 'Delete 3 files?',
    approvalScopes: ['once', 'session'],
    timeoutMs: 300_000,
    expiresAt,
    attempt: 1,
    ...extra,
  }) as InteractionRequestEvent

export const response = (interactionId: string, extra: Extra = {}): HoldpointEvent => ({
  type: 'interaction_response',
  ...base,
  interactionId,
  toolCallId: 'call-1',
  action: 'approve',
  respondedBy: { userId: 'ada', name: 'Ada', clientId: 'tab-2' },
  ...extra,
})

export const updated = (interactionId: string, extra: Extra = {}): HoldpointEvent => ({
  type: 'interaction_updated',
  ...base,
  interactionId,
  ...extra,
})

export const closed = (interactionId: string, reason: string): HoldpointEvent => ({
  type: 'interaction_closed',
  ...base,
  interactionId,
  reason,
})

export const authNeeded = (interactionId: string, extra: Extra = {}): HoldpointEvent => ({
  type: 'auth_needed',
  ...base,
  runId: 'run-1',
  generationId: 'run-1',
  conversationId: sessionId,
  toolCallId: 'call-1',
  toolName: 'post_summary',
  interactionId,
  integrations: ['slack', 'gmail'],
  expiresAt,
  ...extra,
})

export const authProgress = (interactionId: string, connected: string, remaining: string[]): HoldpointEvent => ({
  type: 'auth_progress',
  ...base,
  interactionId,
  connected,
  remaining,
})

export const authResult = (interactionId: string, success: boolean, reason?: string): HoldpointEvent => ({
  type: 'auth_result',
  ...base,
  interactionId,
  success,
  integrations: ['slack', 'gmail'],
  ...(reason ? { reason } : {}),
})

export const run = (runId: string, status: string): HoldpointEvent => ({ type: 'run_status', ...base, runId, status })

export const toolCall = (step: 'start' | 'update' | 'complete', extra: Extra = {}): HoldpointEvent => ({
  type: `tool_call_${step}`,
  ...base,
  runId: 'run-1',
  toolCallId: 'call-1',
  toolName: 'delete_files',
  ...(step === 'complete' ? { status: 'completed' } : {}),
  ...extra,
})

export const content = (text: string): HoldpointEvent => ({ type: 'content', ...base, text })

/** The events with their cursors, as one log from its beginning. */
export const log = (events: readonly HoldpointEvent[], epoch = 'e1') =>
  events.map((event, index) => ({ cursor: cursorAt(epoch, { seq: index + 1, json: JSON.stringify(event) }), event }))

export const snapshot = (extra: Partial<SessionSnapshot> = {}): SessionSnapshot => ({
  cursor: 'e1.0.0',
  serverTime: at,
  you: { userId: 'ada', can: ['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox'] },
  runs: [],
  interactions: [],
  ...extra,
})

export const time = Date.parse(at)
