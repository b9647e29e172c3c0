export type { Environment } from './base/environment.ts'
export type { Logger } from './base/logger.ts'
export type { Principal } from './base/principal.ts'
export { localTransport } from './channels/local-transport.ts'
export type { AccountProvider, AccountStatus, StartOptions } from './engine/api/account-provider.ts'
export type * from './engine/api/deliveries.ts'
export type { Engine, Reply, SessionRecord } from './engine/api/engine.ts'
export { InteractionRefused } from './engine/api/interaction-refused.ts'
export type * from './engine/api/interactions.ts'
export type { LifecycleEvent } from './engine/api/lifecycle-event.ts'
export type {
  AuthorizeInput,
  DeliveryOptions,
  HookOptions,
  RetentionOptions,
  TimingOptions,
} from './engine/api/options.ts'
export type * from './engine/api/questions.ts'
export type { Tool, ToolDefinition, ToolRun } from './engine/api/tool.ts'
export type {
  AskFields,
  AskJsonSchema,
  AskSchema,
  Auth,
  ToolApprovals,
  ToolContext,
  ToolUpdate,
  WithAuthOptions,
} from './engine/api/tool-context.ts'
export type { AcceptedAction, UserActionDefinition, UserActions } from './engine/api/user-actions.ts'
export type { RememberedApproval } from './engine/consent/list-grants.ts'
export type { PolicyChoice } from './engine/consent/policies.ts'
export type { DeliveryItem, DeliveryState } from './engine/delivery/list-deliveries.ts'
export type { Counts } from './engine/kernel/counters.ts'
export type * from './engine/links/link-options.ts'
export type { EmittedEvent, Session, ToolCallOptions } from './engine/session/create-session.ts'
export type { Turn, TurnOptions } from './engine/session/turn.ts'
export type { StreamEnd, StreamPart } from './engine/session/write-stream.ts'
export type { SettledOutcome } from './engine/state/settled-outcome.ts'
export { createHoldpoint, type Holdpoint, type UserRef } from './holdpoint.ts'
export type { Answer, EventStream, Outgoing } from './http/answers/http-answer.ts'
export { devUser } from './http/guard/dev-user.ts'
export type { Incoming } from './http/requests/http-request.ts'
export type { HttpTuning } from './http/routing/options.ts'
export type { Route, RouteContext, UserContext } from './http/routing/route.ts'
export type { HoldpointOptions, HttpServerOptions, SecurityOptions } from './options.ts'
export type { VaultKey } from './security/vault.ts'
