/** One moment at which users are notified of a question that is still open. */
export interface PlannedStep {
  /** Milliseconds after the question was asked. */
  afterMs: number
  to: readonly string[]
  /** Names of the surfaces. */
  surfaces: readonly string[]
  /** 0 when the users are notified for the first time, then the number of the reminder. */
  reminder: number
  /** Notifies a user who has not looked at the session or the inbox for this long. Other users wait. */
  unseenForMs?: number
}
