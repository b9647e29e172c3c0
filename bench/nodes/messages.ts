import type { Question } from '../support/person.ts'

/** The messages to a node, over IPC. */
export type Order =
  | { type: 'ask'; sessionId: string; callIds: string[] }
  | { type: 'answer'; sessionId: string; question: Question }
  | { type: 'race'; sessionId: string; questions: Question[]; answers: number }
  | { type: 'commit' }
  /** Asks and answers by itself, so many questions, so many at once. */
  | { type: 'carry'; questions: number; atOnce: number }
  /** Tells through the store that something is there for the other node. */
  | { type: 'send'; id: string }

/** One answer of a race, and who won according to its response. */
export interface Raced {
  interactionId: string
  won: boolean
  by: string
  winner: string
}

/** `resumed`: the code that waited for this id continued at this moment of the machine's clock, in milliseconds. */
export type Said = { id: number; value: unknown } | { resumed: string; at: number }
