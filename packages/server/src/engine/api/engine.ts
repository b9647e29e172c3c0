import type {
  CancelRunMessage,
  ErrorBody,
  ExtendInteractionMessage,
  InboxPage,
  Limits,
  Permission,
  SessionSnapshot,
  SubmitAuthResultMessage,
  ToolInteractionResponseMessage,
  UserActionsMessage,
} from '@holdpoint/core/internal'

import type { Environment } from '../../base/environment.ts'
import type { Principal } from '../../base/principal.ts'
import type { Store } from '../../store/port.ts'
import type { Outreach } from './deliveries.ts'
import type { EngineReads, SessionRef } from './interactions.ts'
import type { ArgsSchema } from './questions.ts'

/** The response to a message, over any channel. */
export interface Reply {
  status: number
  body: unknown | ErrorBody
  retryAfterMs?: number
}

/** The owner of a session. Its first user owns it permanently. */
export interface SessionRecord {
  tenant: string
  sessionId: string
  userId: string
}

/** A run of a framework, and its owner. */
export interface StoredRun {
  tenant: string
  sessionId: string
  userId: string
  runId: string
}

/** The state of a framework's run as text, and how often it was written. */
export interface RunState {
  text: string
  /** 0 for a state that was never stored. */
  writes: number
}

/** The latest report of a client on whether it can show questions. */
export interface PresenceTouch {
  clientId: string
  userId: string
  /**
   * If omitted, the client's latest report applies, else true: an open stream reports only that the client is present.
   */
  supported?: boolean
  enabled?: boolean
  /** Whether the page of the client is visible. Omitted: what this client last said, else false. */
  visible?: boolean
}

/**
 * The engine's interface for channels (HTTP, WebSocket, stdio, …). Every call gets an authenticated principal; the
 * engine authorizes it. A missing session and a forbidden one look the same to a reader.
 */
export interface Engine {
  readonly store: Store
  readonly limits: Limits
  /** The timers and the random source in use (see `HoldpointOptions.environment`). */
  readonly environment: Environment
  /**
   * Returns the session's owner, or null if the session does not exist or the principal may not do `action`. Pass
   * `owner` if the session is already known to exist.
   */
  access(principal: Principal, sessionId: string, action: Permission, owner?: string): Promise<SessionRecord | null>
  /** The store's partition of a session, for readers of its log. */
  partition(session: SessionRef | SessionRecord): string
  /** The partition of a user's own rows, which `eraseUser` removes. */
  userPartition(user: { tenant: string; userId: string }): string
  readonly reads: EngineReads
  snapshot(principal: Principal, session: SessionRecord): Promise<SessionSnapshot>
  inbox(principal: Principal, options: { after?: string; limit?: number }): Promise<InboxPage>
  /** The settled questions of a user in all sessions, newest first. A page reads at most so many `sessions`. */
  settled(principal: Principal, options: { after?: string; limit?: number; sessions?: number }): Promise<InboxPage>
  /** Does not need read access to the session: a question's audience may answer through its inbox. */
  answer(principal: Principal, sessionId: string, message: ToolInteractionResponseMessage): Promise<Reply>
  extend(principal: Principal, sessionId: string, message: ExtendInteractionMessage): Promise<Reply>
  cancelRun(principal: Principal, sessionId: string, message: CancelRunMessage): Promise<Reply>
  submitAuthResult(principal: Principal, sessionId: string, message: SubmitAuthResultMessage): Promise<Reply>
  userActions(principal: Principal, sessionId: string, message: UserActionsMessage): Promise<Reply>
  /** Returns the approvals of the user that cover more than one question. */
  approvals(principal: Principal, page: { after?: string; limit: number }): Promise<Reply>
  /** The user is asked again about this key of the tool. */
  revokeApproval(principal: Principal, body: { toolName: string; key: unknown }): Promise<Reply>
  /** Returns the tool settings that a user may choose, and the chosen ones. */
  toolSettings(principal: Principal): Promise<Reply>
  /** `choice: null` restores the tool's default. */
  setToolSetting(
    principal: Principal,
    body: { toolName: string; choice: string | null; userId?: string },
  ): Promise<Reply>
  connect(
    principal: Principal,
    sessionId: string,
    body: { interactionId: string; integration: string; returnTo?: string; trustedOrigins?: readonly string[] },
  ): Promise<Reply>
  upload(
    principal: Principal,
    sessionId: string,
    file: {
      interactionId: string
      fieldId: string
      name: string
      type: string
      /** The handles that the form still has for the field. At the limit, the user's other files for it make room. */
      keeps?: readonly string[]
      /** The file, or what reads it once it is known that it may be uploaded. */
      bytes: Uint8Array | ((maxBytes: number) => Promise<Uint8Array>)
    },
  ): Promise<Reply>
  /** An open stream or poll, a hello, or a mode switch. Expires by itself when not repeated. */
  presence: {
    touch(session: SessionRecord, client: PresenceTouch): Promise<void>
    leave(session: SessionRecord, client: Pick<PresenceTouch, 'clientId' | 'userId'>): Promise<void>
    /** A page that shows the questions of all sessions became visible, still is, or no longer is. */
    inbox(principal: Principal, client: { clientId: string; visible: boolean }): Promise<void>
  }
  /** Returns the state of a run that a bridge has stored, or null. */
  readState(run: StoredRun): Promise<RunState | null>
  /**
   * Stores the state of a run, encrypted, in place of the one with this number of writes. Returns false if another
   * process has replaced that one meanwhile.
   */
  writeState(run: StoredRun, state: RunState): Promise<boolean>
  /** This process among those that share the store. */
  readonly node: string
  /** Names the schema of changed arguments for tools that a bridge runs: an answer is checked before it is claimed. */
  checkEdits(toolName: string, schema: ArgsSchema<unknown>): void
  /** Sends questions to these surfaces from now on, including those that waited for these surfaces. */
  connectSurfaces(outreach: Outreach): void
  /** Ends the streams of this user. */
  onRevoke(listener: (who: { userId: string; tenant?: string }) => void): () => void
}
