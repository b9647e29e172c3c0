import type { HoldpointClient, HoldpointEvent, SessionState } from '@holdpoint/core'

/** One event as the devtools received it. */
export interface RecordedEvent {
  readonly cursor: string
  readonly event: HoldpointEvent
  /** Milliseconds of the page's clock. */
  readonly at: number
}

/** A change of the connection, or of one question on this page. */
export interface RecordedMark {
  readonly at: number
  readonly kind: 'connection' | 'shown' | 'sent'
  /** The status of the connection, or the id of the question. */
  readonly value: string
}

/** Everything that the devtools know of one session. */
export interface SessionRecording {
  readonly sessionId: string
  readonly events: readonly RecordedEvent[]
  readonly marks: readonly RecordedMark[]
  /** The state before the first of `events`, for replay. */
  readonly base: SessionState
  readonly state: SessionState
  /** Events that are no longer kept, because there were more than the limit. */
  readonly dropped: number
}

/** Options of `recordSession`. */
export interface RecordOptions {
  /** @default 2_000 */
  limit?: number
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number
}

/** Records one session for as long as it is wanted. */
export interface SessionRecorder {
  readonly client: HoldpointClient
  getSnapshot(): SessionRecording
  subscribe(listener: () => void): () => void
  /** Called when a card of this question is on screen. */
  shown(interactionId: string): void
  /** Forgets the events so far, and replays from here. */
  clear(): void
  stop(): void
}
