import type { Principal } from '../../base/principal.ts'

/** For whom an answer link is created, and for how long. */
export interface AnswerLinkOptions {
  interactionId: string
  /** Needed for an interaction that nothing but its session lists; pending interactions are found without it. */
  sessionId?: string
  tenant?: string
  /** The owner of the session or a user of the interaction's audience. */
  userId: string
  /** Shown to others as part of `respondedBy`. */
  name?: string
  /**
   * How long the link can be used, in milliseconds.
   *
   * @default 86_400_000 (one day)
   */
  expiresInMs?: number
}

/** A capability: a request with the token acts as its user, for one interaction. Do not log it. */
export interface AnswerLink {
  token: string
  expiresAt: Date
}

/** The session, interaction and user of a valid link. */
export interface OpenedLink {
  principal: Principal
  sessionId: string
  interactionId: string
}
