import type {
  CancelRunMessage,
  ErrorBody,
  ExtendInteractionMessage,
  InboxPage,
  Permission,
  SubmitAuthResultMessage,
  ToolInteractionResponseMessage,
  UserActionsMessage,
} from '@holdpoint/core/internal'
import type { Limits, SessionSnapshot } from '@holdpoint/core/protocol'
import type { Principal } from '../../base/principal.ts'
import type { Store } from '../../store/port.ts'
import type { ArgsSchema } from './questions.ts'

/** What a message is answered with, whatever channel carried it. */
export interface Reply {
  status: number
  body: unknown | ErrorBody
  retryAfterMs?: number
}

/** Whose a session is. Its first user owns it for good. */
export interface SessionRecord {
  tenant: string
  sessionId: string
  userId: string
}

/** One client's last word on whether it can show questions. */
export interface PresenceTouch {
  clientId: string
  userId: string
  /** Omitted: what this client last said, else true. An open stream says no more than "I am here". */
  supported?: boolean
  enabled?: boolean
}

/**
 * The engine's interface for channels (HTTP, WebSocket, stdio, …). Every call gets an authenticated principal; the
 * engine authorizes it. A missing session and a forbidden one look the same to a reader.
 */
export interface Engine {
  readonly store: Store
  readonly limits: Limits
  /**
   * The session's owner, or null when it does not exist or the principal may not `action` it. `owner` is given by whoever
   * knows that the session exists, and whose it is.
   */
  access(principal: Principal, sessionId: string, action: Permission, owner?: string): Promise<SessionRecord | null>
  /** The store's partition of a session: log and rows. */
  partition(session: SessionRecord): string
  snapshot(principal: Principal, session: SessionRecord): Promise<SessionSnapshot>
  inbox(principal: Principal, options: { after?: string; limit?: number }): Promise<InboxPage>
  /** Does not need read access to the session: a question's audience may answer through its inbox. */
  answer(principal: Principal, sessionId: string, message: ToolInteractionResponseMessage): Promise<Reply>
  extend(principal: Principal, sessionId: string, message: ExtendInteractionMessage): Promise<Reply>
  cancelRun(principal: Principal, sessionId: string, message: CancelRunMessage): Promise<Reply>
  submitAuthResult(principal: Principal, sessionId: string, message: SubmitAuthResultMessage): Promise<Reply>
  userActions(principal: Principal, sessionId: string, message: UserActionsMessage): Promise<Reply>
  /** What a person may choose for the tools, and chose. */
  policies(principal: Principal): Promise<Reply>
  /** `choice: null` goes back to what the tool does by itself. */
  setPolicy(principal: Principal, body: { toolName: string; choice: string | null; userId?: string }): Promise<Reply>
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
      /** The file, or what reads it once it is known that it may be uploaded. */
      bytes: Uint8Array | ((maxBytes: number) => Promise<Uint8Array>)
    },
  ): Promise<Reply>
  /** An open stream or poll, a hello, or a mode switch. Expires by itself when not repeated. */
  presence: {
    touch(session: SessionRecord, client: PresenceTouch): Promise<void>
    leave(session: SessionRecord, client: Pick<PresenceTouch, 'clientId' | 'userId'>): Promise<void>
  }
  /** This process among those that share the store. */
  readonly node: string
  /** Names the schema of changed arguments for tools that a bridge runs: an answer is checked before it is claimed. */
  checkEdits(toolName: string, schema: ArgsSchema<unknown>): void
  /** Streams of this user must end now. */
  onRevoke(listener: (who: { userId: string; tenant?: string }) => void): () => void
}
