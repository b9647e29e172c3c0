import { expect, test } from 'vitest'
import { initialState, transition } from '../machine/index.ts'
import type { SessionState } from '../machine/state/types.ts'
import { formatCursor } from '../wire/events/cursor.ts'
import { pendingAuth } from './pending-auth.ts'

const envelope = { timestamp: '2026-01-01T00:00:00.000Z', sessionId: 's-1', runId: 'run-1' }
const needed = {
  ...envelope,
  type: 'auth_needed',
  interactionId: 'i-1',
  toolCallId: 'c-1',
  toolName: 'summary',
  generationId: 'run-1',
  conversationId: 's-1',
  integrations: ['slack', 'gmail'],
  causes: { slack: 'expired' },
  scopes: { gmail: ['send'] },
  reason: 'to post the summary',
  expiresAt: '2026-01-01T00:10:00.000Z',
} as const

function after(...events: object[]): SessionState {
  const log = events.map((event, n) => ({
    cursor: formatCursor({ epoch: 'e', seq: n + 1, tag: 't' }),
    event: event as never,
  }))
  return transition(initialState({ sessionId: 's-1', clientId: 'me' }), { type: 'events', events: log }, 0)[0]
}

test('pending accounts of a run are updated while they are connected one by one', () => {
  const progress = {
    ...envelope,
    type: 'auth_progress',
    interactionId: 'i-1',
    connected: 'slack',
    remaining: ['gmail'],
  }
  expect(pendingAuth(after())).toEqual([])
  expect(pendingAuth(after(needed, progress))).toEqual([
    {
      interactionId: 'i-1',
      generationId: 'run-1',
      toolName: 'summary',
      accounts: [
        { integration: 'slack', connected: true, cause: 'expired' },
        { integration: 'gmail', connected: false, scopes: ['send'] },
      ],
      remaining: 1,
      reason: 'to post the summary',
      expiresAt: Date.parse(needed.expiresAt),
    },
  ])
  const result = {
    ...envelope,
    type: 'auth_result',
    interactionId: 'i-1',
    success: true,
    integrations: ['slack', 'gmail'],
  }
  expect(pendingAuth(after(needed, progress, result))).toEqual([])
})
