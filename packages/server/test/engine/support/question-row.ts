import type { QuestionRow } from '../../../src/engine/state/rows.ts'

/** When it was asked. */
export const ASKED_AT = 1_000_000

/** An open approval of a bare call, with whatever a test says otherwise. */
export const questionRow = (changes: Partial<QuestionRow> = {}): QuestionRow => ({
  id: 'q1',
  tenant: '',
  sessionId: 's',
  userId: 'ada',
  call: 'r/c',
  runId: 'r',
  toolCallId: 'c',
  toolName: 't',
  key: 'k',
  attempt: 1,
  prompts: 1,
  digest: 'd',
  kind: 'approval',
  status: 'open',
  waiter: 'inline',
  shortcut: false,
  registered: false,
  onTimeout: false,
  request: {
    type: 'interaction_request',
    timestamp: '2030-01-01T00:00:00.000Z',
    sessionId: 's',
    toolCallId: 'c',
    toolName: 't',
    interactionId: 'q1',
    interactionType: 'approval',
    approvalScopes: ['once', 'session'],
    timeoutMs: 60_000,
    expiresAt: '2030-01-01T00:01:00.000Z',
    attempt: 1,
  },
  askedAt: ASKED_AT,
  timeoutMs: 60_000,
  expiresAt: ASKED_AT + 60_000,
  ...changes,
})
