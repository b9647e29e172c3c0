import type { Limits, Permission, UserActionsMessage } from '@holdpoint/core/protocol'
import type { Environment } from './base/environment.ts'
import type { VaultKey } from './engine/answering/secret-vault.ts'
import type { AccountProvider } from './engine/api/account-provider.ts'
import type { Principal, Reply } from './engine/api/engine.ts'
import type { LifecycleEvent, Logger } from './engine/api/lifecycle-event.ts'
import type { AcceptedAction, UserActions } from './engine/session/user-actions.ts'
import type { RefusalOutcome } from './engine/state/rows.ts'
import type { HttpOptions } from './http/options.ts'
import type { Store } from './store/port.ts'

/** What `authorize` decides by: who wants to do what, in whose session, about which question. */
export interface AuthorizeInput {
  principal: Principal
  action: Permission
  sessionId: string
  /** The session's owner. */
  owner: string
  /** The question that it is about, when it is about one. */
  interaction?: { interactionId: string; kind: string; toolName: string; audience: readonly string[] }
}

interface DeliveryBase {
  /** The same for every repeat of this delivery. */
  deliveryId: string
  tenant: string
  sessionId: string
  userId: string
  runId: string
  toolCallId: string
  toolName: string
}
/** A result that no promise waits for any more. */
export type ToolResultDelivery = DeliveryBase &
  (
    | { status: 'completed'; result: unknown }
    | { status: 'refused'; result: { refused: RefusalOutcome; reason?: string; output?: unknown } }
    | { status: 'error'; result: { error: { code: string; message: string } } }
  )

/** An answer that came when its tool had gone on: start a new turn with `message`. */
export interface FollowUpDelivery extends DeliveryBase {
  reason: 'late_answer' | 'orphaned'
  interactionId: string
  /** The answer in words, for the model. */
  message: string
  answer: {
    action: string
    approvalScope?: string
    input?: Record<string, unknown>
    args?: unknown
    reason?: string
  }
}

/** What `onWaiting` gets, so that you can tell people by push or mail that somebody waits for them. */
export interface WaitingNotice {
  interaction: {
    interactionId: string
    sessionId: string
    userId: string
    runId: string
    toolCallId: string
    toolName: string
    kind: 'approval' | 'input' | 'connect'
    prompt?: string
    audience: readonly string[]
    expiresAt: Date
  }
  /** Somebody looks at the session, though nobody who may answer this question. */
  present: boolean
  /** From the `questionUrl` option. Opening it never answers anything. */
  url?: string
}

/** How `onToolResult` and `onFollowUp` are called. */
export interface DeliveryOptions {
  /** Hooks that run at the same time in this process; 32. One that runs for over five minutes is not counted any more. */
  atOnce?: number
  /** Attempts after which a delivery becomes a dead letter; 100. */
  maxAttempts?: number
  /** Age at which a delivery that fails becomes a dead letter; 7 days. */
  maxAgeMs?: number
}

/** Limits how long what is over stays in the store. What still waits is never dropped. */
export interface RetentionOptions {
  /** How long the record of a finished question or call is kept; 30 days unless given. */
  endedMs?: number
  /** How many events of a session's log are kept; all unless given. Rows are not events: nothing open is lost. */
  events?: number
}

/** What `createHoldpoint` takes. Everything but `authenticate` has a default that is right in development. */
export interface HoldpointOptions
  extends Pick<HttpOptions, 'allowedOrigins' | 'allowedHosts' | 'mountPath' | 'routes' | 'http' | 'development'> {
  /** SQLite in `.holdpoint/data.db` in development when omitted; in production it must be named. */
  store?: Store
  /** Your session library: who sends this request? null is answered with 401. */
  authenticate?: (request: Request) => Principal | null | Promise<Principal | null>
  /** Who may do what. By default the session's owner may do everything, and a question's audience may answer it. */
  authorize?: (input: AuthorizeInput) => boolean | Promise<boolean>
  /**
   * Who may choose what the tools may do without asking (`POST /policies`); `choice` is null for "back to the
   * default". By default users may choose for themselves only.
   */
  authorizePolicy?: (input: {
    principal: Principal
    /** Whose calls it concerns. */
    userId: string
    toolName: string
    choice: string | null
  }) => boolean | Promise<boolean>
  /** Delivered at least once, until it resolves; `deliveryId` tells repeats. */
  onToolResult?: (delivery: ToolResultDelivery) => unknown
  /** Delivered at least once, until it resolves; `deliveryId` tells repeats. */
  onFollowUp?: (delivery: FollowUpDelivery) => unknown
  /** A question was asked and nobody who may answer is looking: send an e-mail, a push message. */
  onWaiting?: (notice: WaitingNotice) => unknown
  /**
   * What people may do in the interface, by tool and event: whatever is not in here is refused by name. What is taken
   * stands in the session's log as `user_action`, with its words for the model.
   */
  userActions?: UserActions
  /**
   * Told of what was taken, once; a place to start a new turn. Without `userActions` it gets whatever clients send, and
   * answers it; without both they are refused with 501.
   */
  onUserActions?: (input: {
    principal: Principal
    sessionId: string
    message: UserActionsMessage
    accepted: readonly AcceptedAction[]
  }) => Reply | Promise<Reply>
  /**
   * `inline`: this process stays and waits. `suspend`: it may end after each request; registered tools are run again
   * when their question is settled.
   */
  waiting?: 'inline' | 'suspend'
  /**
   * How long the platform lets a request run, where it ends it: a question that may wait for longer is warned of
   * (`serverless_deadline`) unless `waiting` is 'suspend'.
   */
  maxDurationMs?: number
  /** Keeps a serverless function alive until the promise settles. */
  waitUntil?: (promise: Promise<unknown>) => void
  accounts?: AccountProvider
  /** Encrypts what `secret` fields collect; the first key encrypts, all decrypt. */
  vaultKeys?: readonly VaultKey[]
  /** The page on which a question can be answered, for `onWaiting`. */
  questionUrl?: (question: { sessionId: string; interactionId: string }) => string
  logger?: Logger
  /** Every step of every question, for metrics and traces. Carries no prompts, arguments or answers. */
  onEvent?: (event: LifecycleEvent) => void
  /** The current W3C trace context, stored with each question so that what resumes later can link to it. */
  traceparent?: () => string | undefined
  retention?: RetentionOptions
  deliveries?: DeliveryOptions
  limits?: Partial<Limits>
  /** How long a question waits for somebody to appear before it throws `interaction_unavailable`; 15 s. */
  presenceGraceMs?: number
  /** A client that was not heard of for this long is gone; 60 s. */
  presenceMs?: number
  /** A process that was not heard of for this long lost its calls; 15 s. */
  leaseMs?: number
  /** How long an answer waits for its call to be asked again before it becomes a follow-up; 60 s. */
  orphanAfterMs?: number
  /**
   * Tells instances of one process apart in development, where they survive a hot reload: by this name, and by where
   * the store keeps its rows, so two files are two instances. Two memory stores, or two pools of your own, need names.
   */
  name?: string
  environment?: Partial<Environment>
}
