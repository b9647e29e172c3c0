import { z } from 'zod'
import { knownEvent } from './events.ts'
import { id, timestamp } from './ids.ts'
import { runStatusValue } from './interaction.ts'

/**
 * One interaction in a snapshot: the event that asked, and the event that ended it, if it has ended. Events are the
 * only source of shape, so that replay and snapshot cannot disagree.
 */
export const interactionSnapshot = z.looseObject({
  /** `interaction_request` or `auth_needed`. */
  request: knownEvent,
  /** The latest deadline, when it was extended. */
  expiresAt: timestamp.optional(),
  deferred: z.boolean().optional(),
  /** For a `connect` question: the accounts that are connected so far. */
  connected: z.array(z.string()).optional(),
  response: knownEvent.optional(),
  /** An answer is recorded and the call continues, so that a reloaded page shows "approved, still running". */
  running: z.boolean().optional(),
  closed: knownEvent.optional(),
})
export const runSnapshot = z.looseObject({ runId: id, status: runStatusValue, reason: z.string().optional() })

export const permission = z.enum(['read', 'respond', 'remember', 'cancel', 'extend', 'connect', 'inbox'])
/**
 * A right of a principal in a session. The server decides it and lists it in the snapshot, so that clients show only
 * buttons that work.
 */
export type Permission = z.infer<typeof permission>

const you = z.looseObject({ userId: z.string(), can: z.array(permission) })

export const sessionSnapshot = z.looseObject({
  cursor: z.string(),
  serverTime: timestamp,
  you,
  runs: z.array(runSnapshot),
  /** Pending first. */
  interactions: z.array(interactionSnapshot),
  /** The server could not read a part of the session and left it out: a newer release wrote it, or it is damaged. */
  incomplete: z.boolean().optional(),
})

export const inboxPage = z.looseObject({
  items: z.array(
    z.looseObject({
      sessionId: id,
      interaction: interactionSnapshot,
      /** The rights of this user in the session of the question. */
      you: you.optional(),
    }),
  ),
  next: z.string().optional(),
  /** The server could not read a question and left it out. */
  incomplete: z.boolean().optional(),
})

export type InteractionSnapshot = z.infer<typeof interactionSnapshot>
/** The current state of a session, from which a client starts. A server-rendered page passes it to the client. */
export type SessionSnapshot = z.infer<typeof sessionSnapshot>
export type InboxPage = z.infer<typeof inboxPage>
