/** The configuration of the killed process. */
export interface KillSetup {
  path: string
  /** A line for each effect, promise and delivery, written before anything else can happen. */
  journal: string
  tasks: number[]
  leaseMs: number
}
export interface Asked {
  interactionId: string
  toolCallId: string
  sessionId: string
  /** Of what was on screen. */
  shownDigest: string
}
/** `ready` comes first and always: a process that finds all its questions answered has no other word to say. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'asked'; question: Asked }
  | { type: 'ack'; interactionId: string; status: number }
export interface ToChild {
  type: 'answer'
  question: Asked
  action: 'approve' | 'deny'
}

/** Three ways to make a call; which one follows from the number of the task. */
export const kindOf = (task: number) => (['run again', 'recovered', 'bare'] as const)[task % 3]!
/** Seven at a time, and new ones by and by: a snapshot has only the latest of a session's questions. */
export const sessionOf = (task: number) => `chat-${Math.floor(task / 350)}-${task % 7}`
