import type { Limits, Permission, UserActionsMessage } from '@holdpoint/core/internal'

import type { Environment } from '../../base/environment.ts'
import type { Logger } from '../../base/logger.ts'
import type { Principal } from '../../base/principal.ts'
import type { VaultKey } from '../../security/vault.ts'
import type { Store } from '../../store/port.ts'
import type { AccountProvider } from './account-provider.ts'
import type { AskedNotice, FollowUpDelivery, SettledNotice, ToolResultDelivery } from './deliveries.ts'
import type { LifecycleEvent } from './lifecycle-event.ts'
import type { AcceptedAction, UserActions } from './user-actions.ts'

/** The options of `createHoldpoint` that the engine reads. */
export interface EngineOptions {
  /**
   * Where questions and logs are persisted. Production requires it.
   *
   * @default sqliteStore({ path: '.holdpoint/data.db' }), in development only
   */
  store?: Store
  /**
   * Returns the user who sends a request, or null, which is answered with 401. Call your session library here.
   *
   * @default every request is answered with 401
   */
  authenticate?: (request: Request) => Principal | null | undefined | Promise<Principal | null | undefined>
  /**
   * Stores users' accounts at integrations and returns their tokens, for `ctx.connect` and `ctx.withAuth`.
   *
   * @default none: tools cannot ask for accounts
   */
  accounts?: AccountProvider
  /**
   * The actions of users in the interface, by tool and event. Any other action is rejected by name. An accepted action
   * is in the session's log as `user_action`, with its text for the model.
   *
   * @default none: user actions are rejected with 501
   */
  userActions?: UserActions
  /**
   * The names of tools and integrations that people read where no page of yours is involved: in e-mails, chat messages
   * and notifications, and on the answer page. The values of `tools` and `integrations` of `HoldpointProvider` fit, so
   * that both read the same objects.
   *
   * @default the words of the ids: `post_to_slack` is "Post to slack"
   */
  names?: NameOptions
  /**
   * Receives warnings and errors.
   *
   * @default console, without debug messages; nothing when NODE_ENV is `test`
   */
  logger?: Logger
  /**
   * Names this instance. In development an instance survives a hot reload: the next `createHoldpoint` with the same name
   * and the same store address returns it. Two memory stores, or two pools of your own, need a name each.
   *
   * @default 'default'
   */
  name?: string
  /**
   * With `inline` the process stays and waits for answers. With `suspend` the process may end after each request, and
   * registered tools run again when their question is settled. Use `suspend` on serverless platforms.
   *
   * @default 'inline'
   */
  waiting?: 'inline' | 'suspend'
  /**
   * Keeps a serverless function alive until the promise settles.
   *
   * @default none: work after a response depends on the platform
   */
  waitUntil?: (promise: Promise<unknown>) => void
  /** Intervals after which clients, processes and calls count as gone. */
  timing?: TimingOptions
  /** Sizes and counts above which input is rejected. The limits are listed in PROTOCOL.md. */
  limits?: Partial<Limits>
  /** How long finished questions and old events stay in the store. */
  retention?: RetentionOptions
  /** Functions of your app that Holdpoint calls. */
  hooks?: HookOptions
  /**
   * Clock, timers and random source, for tests: `testClock().environment`.
   *
   * @default those of the process
   */
  environment?: Partial<Environment>
}

/** The names of tools and integrations that people read, by id. */
export interface NameOptions {
  tools?: Readonly<Record<string, { name: string }>>
  integrations?: Readonly<Record<string, { name: string }>>
}

/** Intervals after which clients, processes and calls count as gone, in milliseconds. */
export interface TimingOptions {
  /**
   * How long a question waits for a client to connect before it rejects with `interaction_unavailable`.
   *
   * @default 15_000
   */
  presenceGraceMs?: number
  /**
   * A client that sends no heartbeat for this long is gone.
   *
   * @default 60_000
   */
  presenceMs?: number
  /**
   * A process that sends no heartbeat for this long loses its calls to another process.
   *
   * @default 15_000
   */
  leaseMs?: number
  /**
   * How long an answer waits for its call to run again before it becomes a follow-up.
   *
   * @default 60_000
   */
  orphanAfterMs?: number
  /**
   * How long the platform lets a request run. A question that may wait longer is logged as `serverless_deadline`, unless
   * `waiting` is `suspend`.
   *
   * @default no limit
   */
  maxDurationMs?: number
}

/** Limits how long finished questions and old events stay in the store. Open questions are never dropped. */
export interface RetentionOptions {
  /**
   * How long the record of a finished question or call is kept.
   *
   * @default 30 days
   */
  endedMs?: number
  /**
   * How many events of a session's log are kept. Open questions do not depend on the log.
   *
   * @default all
   */
  events?: number
}

/** Functions of your app that Holdpoint calls. */
export interface HookOptions {
  /**
   * Receives a tool's result when no promise waits for it. Delivered at least once, until it resolves; `deliveryId` is
   * the same for each repeat.
   *
   * @default none: results wait in the store for a process that has this hook
   */
  onToolResult?: (delivery: ToolResultDelivery) => unknown
  /**
   * Receives the answer to a deferred question. Delivered at least once, until it resolves; `deliveryId` is the same for
   * each repeat.
   *
   * @default none: answers wait in the store for a process that has this hook
   */
  onFollowUp?: (delivery: FollowUpDelivery) => unknown
  /**
   * Called when an interaction waits for a person, and for each reminder: send an e-mail or a push message. Delivered at
   * least once, until it resolves; `deliveryId` is the same for each repeat. An interaction that is settled before the
   * hook could be called is left out. All nodes on one store need the same hooks.
   *
   * @default none
   */
  onAsked?: (notice: AskedNotice) => unknown
  /**
   * Called when an interaction ends, in whatever way. Delivered at least once, until it resolves. It is called again with
   * another outcome and `deliveryId` if the tool never gets the answer: `failed`, `cancelled` or `superseded` after
   * `approved`, for example.
   *
   * @default none
   */
  onSettled?: (notice: SettledNotice) => unknown
  /**
   * Milliseconds after which `onAsked` is called again until the interaction is settled; at most 5 times.
   *
   * @default [] (no reminders)
   */
  remindAfterMs?: readonly number[]
  /**
   * Called once for accepted user actions, for example to start a new run. Requires `userActions`.
   *
   * @default none
   */
  onUserActions?: (input: {
    principal: Principal
    sessionId: string
    message: UserActionsMessage
    accepted: readonly AcceptedAction[]
  }) => unknown
  /**
   * Receives each step of each question, for metrics and traces. Steps carry no prompts, arguments or answers.
   *
   * @default none
   */
  onEvent?: (event: LifecycleEvent) => void
  /**
   * Returns the address of the page on which a question can be answered, for `onAsked`.
   *
   * @default none
   */
  questionUrl?: (question: { sessionId: string; interactionId: string }) => string
  /**
   * Returns the current W3C trace context. It is stored with each question, so that a later run can link to it.
   *
   * @default none
   */
  traceparent?: () => string | undefined
  /** How hooks with a `deliveryId` are called. */
  deliveries?: DeliveryOptions
}

/** How hooks with a `deliveryId` are called. */
export interface DeliveryOptions {
  /**
   * Hooks that run at the same time in this process. A hook that runs for more than five minutes is no longer counted.
   * All surfaces together use at most half of the places, each surface a quarter, and each user of a surface an eighth.
   *
   * @default 32
   */
  atOnce?: number
  /**
   * Attempts after which a delivery becomes a dead letter.
   *
   * @default 100
   */
  maxAttempts?: number
  /**
   * Age at which a failing delivery becomes a dead letter.
   *
   * @default 7 days
   */
  maxAgeMs?: number
}

/** The input of `authorize`: the principal, the action, the session's owner, and the question if there is one. */
export interface AuthorizeInput {
  principal: Principal
  action: Permission
  sessionId: string
  /** The session's owner. */
  owner: string
  /** The question, if the action concerns one. */
  interaction?: { interactionId: string; kind: string; toolName: string; audience: readonly string[] }
}

/** Authorization, and the keys of stored secrets. */
export interface AccessOptions {
  /**
   * Decides who may do what. It is called for each request, and several times for a page of an inbox: once for each
   * action and session of the user, and once for each action and question of another user.
   *
   * @default the session's owner may do everything, and a question's audience may answer it
   */
  authorize?: (input: AuthorizeInput) => boolean | Promise<boolean>
  /**
   * Decides who may choose what the tools may do without asking (`POST /tool-settings`). `choice` is null when the user
   * returns to the default.
   *
   * @default users may choose for themselves
   */
  authorizeToolSetting?: (input: {
    principal: Principal
    /** The user whose calls the choice concerns. */
    userId: string
    toolName: string
    choice: string | null
  }) => boolean | Promise<boolean>
  /**
   * Keys that encrypt what `secret` fields collect. The first key encrypts, all decrypt.
   *
   * @default none: required with a store that outlives the process
   */
  vaultKeys?: readonly VaultKey[]
}
