import type { HoldpointEvent } from '../../../protocol/events.ts'

/** An approval of `delete_files` that stays open; `rest` changes it. */
export const question = (id: string, rest: object): HoldpointEvent => ({
  type: 'interaction_request',
  interactionId: id,
  toolCallId: `call-${id}`,
  toolName: 'delete_files',
  interactionType: 'approval',
  timeoutMs: 600_000,
  expiresAt: '2099-01-01T00:00:00.000Z',
  attempt: 1,
  ...rest,
})
