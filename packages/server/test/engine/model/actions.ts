/** The actions of the model. Questions are named by their call and their place among its questions. */
export type Action =
  /** The process makes a call, or repeats it. The variant determines its question and the result of a timeout. */
  | { type: 'ask'; call: number; variant: Variant }
  | { type: 'answer'; call: number; nth: number; action: 'approve' | 'deny'; id: string }
  | { type: 'cancel question'; call: number; nth: number }
  | { type: 'cancel run'; run: number }
  | { type: 'decline' }
  | { type: 'extend'; call: number; nth: number }

/** 0: a timeout rejects; 1: `onTimeout` completes; 2: `onTimeout` continues without the answer. */
export type Variant = 0 | 1 | 2

export type Step =
  | { type: 'one'; action: Action }
  /** Two things at the same moment, on two nodes. */
  | { type: 'both'; actions: readonly [Action, Action] }
  | { type: 'time'; ms: number }
  /** The process dies; another one comes in its place. */
  | { type: 'kill' }

export const TIMEOUT_MS = 60_000
export const ORPHAN_MS = 20_000
export const LEASE_MS = 2_000
export const CALLS = 3
export const runOf = (call: number) => call % 2

/** Everything that can be seen from outside, as text that can be compared. */
export interface Sight {
  replies: readonly string[]
  /** Of each call: its questions as the log tells them. */
  questions: readonly (readonly string[])[]
  /** The results of each call's latest promise. */
  promises: readonly string[]
  followUps: number
}
