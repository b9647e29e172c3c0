import type { Holdpoint } from '@holdpoint/server'
import type { BridgeName, QuestionName } from './names.ts'

/** One turn of one framework: the same three calls, for one person. */
export interface BridgeTurn {
  holdpoint: Holdpoint
  sessionId: string
  userId: string
  runId: string
  /** The results that the model has read. */
  done: Texts
}

/** The id of a call. It names its column and row on the page. */
export const callIdOf = (bridge: BridgeName, question: QuestionName) => `${bridge}.${question}`

export type Texts = Readonly<Partial<Record<QuestionName, string>>>

/** Starts a turn, or resumes one that stopped at a question. Returns the texts that the model read. */
export type RunTurn = (turn: BridgeTurn) => Promise<Texts>
