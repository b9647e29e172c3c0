export type { Logger } from './base/logger.ts'
export type { Principal } from './base/principal.ts'
export { localTransport } from './channels/local-transport.ts'
export type { AccountProvider, AccountStatus } from './engine/api/account-provider.ts'
export type { AskedNotice, FollowUpDelivery, SettledNotice, ToolResultDelivery } from './engine/api/deliveries.ts'
export { InteractionRefused } from './engine/api/interaction-refused.ts'
export type { AnswerOptions, AnswerOutcome, InteractionRecord } from './engine/api/interactions.ts'
export type { LifecycleEvent } from './engine/api/lifecycle-event.ts'
export type {
  AuthorizeInput,
  DeliveryOptions,
  HookOptions,
  RetentionOptions,
  TimingOptions,
} from './engine/api/options.ts'
export type {
  Account,
  ApprovalQuestion,
  ApprovalResponse,
  Approved,
  ApproveOptions,
  Connected,
  ConnectOptions,
  InputQuestion,
  InputResponse,
  Outcome,
  PendingResult,
  Refused,
  Submitted,
} from './engine/api/questions.ts'
export type { Tool, ToolDefinition, ToolRun } from './engine/api/tool.ts'
export type { Auth, ToolContext } from './engine/api/tool-context.ts'
export type { AcceptedAction, UserActionDefinition, UserActions } from './engine/api/user-actions.ts'
export type { RememberedApproval } from './engine/consent/list-grants.ts'
export type { PolicyChoice } from './engine/consent/policies.ts'
export type { DeliveryItem } from './engine/delivery/list-deliveries.ts'
export type { Session } from './engine/session/create-session.ts'
export type { Turn } from './engine/session/turn.ts'
export type { SettledOutcome } from './engine/state/settled-outcome.ts'
export { createHoldpoint, type Holdpoint, type UserRef } from './holdpoint.ts'
export { devUser } from './http/guard/dev-user.ts'
export type { Route } from './http/routing/route.ts'
export type { HoldpointOptions, HttpServerOptions, SecurityOptions } from './options.ts'
export type { VaultKey } from './security/vault.ts'
