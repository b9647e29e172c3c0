import type { Transport } from '@holdpoint/core'

/** A question that a tool asked and waits for. */
export interface Asked {
  interactionId: string
  callId: string
  /** Of the question as it is shown. */
  shownDigest: string
  /** What the tool goes on with. */
  outcome: Promise<unknown>
}

export interface Answered {
  status: number
  body: unknown
}

/** A server with people at the other end of one kind of channel. Users log in by their name. */
export interface ChannelWorld {
  /** The client's driver; null is somebody who is not logged in. */
  transport(user: string | null): Transport
  /** Appends one event for each text to a session of `user`, which exists from then on. */
  emit(sessionId: string, user: string, ...texts: string[]): Promise<void>
  /** A tool call in the session asks for an approval, in scopes once and session. */
  ask(sessionId: string, user: string, call?: { runId?: string; callId?: string }): Promise<Asked>
  cancelRun(sessionId: string, user: string, runId: string): Promise<void>
  /** Sends bytes in the place of a client message's JSON, and gives the answer to them. */
  sendRaw(user: string, sessionId: string, message: Uint8Array | string): Promise<Answered>
  trim(sessionId: string, before: number): Promise<void>
  /** Replaces the log by another one, as a restored backup or a failover would. */
  replaceLog(sessionId: string, user: string, ...texts: string[]): Promise<void>
  /** From now on, before each read of a log is answered. */
  beforeReadsAnswer(act: () => Promise<void>): void
  revoke(user: string): void
  /** Breaks every connection, as a network does. Not for channels that have none. */
  cut?(): void
  /** Ends logins, for what is asked again about who is logged in. */
  logOut(user: string): void
  /** Opens a stream as `user` that nobody reads. Not for channels that cannot tell. */
  stall?(user: string, sessionId: string): Promise<{ close(): void }>
  readonly streams: number
  stop(): Promise<void>
}

export interface ChannelTraits {
  /** The channel carries credentials; without, who is at its other end was decided when it was made. */
  credentials: boolean
  make(tuning?: { reauthoriseMs?: number; heartbeatMs?: number; maxBuffered?: number }): Promise<ChannelWorld>
}
