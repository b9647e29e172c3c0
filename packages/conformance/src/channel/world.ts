import type { Transport } from '@holdpoint/core'

/** A question that a tool asked and waits for. */
export interface Asked {
  interactionId: string
  callId: string
  /** Fields of the question that clients see. */
  shownDigest: string
  /** The result that the tool continues with. */
  outcome: Promise<unknown>
}

export interface Answered {
  status: number
  body: unknown
}

/** A server with clients on one kind of channel. Users sign in by their name. */
export interface ChannelWorld {
  /** The client's driver; null connects without a login. */
  transport(user: string | null): Transport
  /** Appends one event for each text to a session of `user`, and creates the session if needed. */
  emit(sessionId: string, user: string, ...texts: string[]): Promise<void>
  /** A tool call in the session asks for an approval, in scopes once and session. */
  ask(sessionId: string, user: string, call?: { runId?: string; callId?: string }): Promise<Asked>
  cancelRun(sessionId: string, user: string, runId: string): Promise<void>
  /** Sends bytes in place of a client message's JSON, and returns the response. */
  sendRaw(user: string, sessionId: string, message: Uint8Array | string): Promise<Answered>
  trim(sessionId: string, before: number): Promise<void>
  /** Replaces the log with another one, as a restored backup or a failover would. */
  replaceLog(sessionId: string, user: string, ...texts: string[]): Promise<void>
  /** Called before each read of a log from now on. */
  beforeReadsAnswer(act: () => Promise<void>): void
  revoke(user: string): void
  /** Breaks every connection, as a network failure does. Not for channels without connections. */
  cut?(): void
  /** Ends logins, for streams that are authorized again. */
  logOut(user: string): void
  /** Opens a stream as `user` whose reader stalls. Not for channels that cannot detect this. */
  stall?(user: string, sessionId: string): Promise<{ close(): void }>
  readonly streams: number
  stop(): Promise<void>
}

export interface ChannelTraits {
  /** The channel carries credentials. Otherwise the principal is fixed when the channel is made. */
  credentials: boolean
  make(tuning?: { reauthorizeMs?: number; heartbeatMs?: number; maxBuffered?: number }): Promise<ChannelWorld>
}
