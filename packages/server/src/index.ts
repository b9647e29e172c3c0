export type { Logger } from './base/logger.ts'
export type { Principal } from './base/principal.ts'
export { localTransport } from './channels/local-transport.ts'
export { createHoldpoint } from './create-holdpoint.ts'
export type { AccountProvider } from './engine/api/account-provider.ts'
export type { AskedNotice, FollowUpDelivery, SettledNotice, ToolResultDelivery } from './engine/api/deliveries.ts'
export { InteractionRefused } from './engine/api/interaction-refused.ts'
export type { InteractionRecord } from './engine/api/interactions.ts'
export type { LifecycleEvent } from './engine/api/lifecycle-event.ts'
export type {
  Account,
  Approved,
  ApproveOptions,
  Connected,
  Outcome,
  Refused,
  Submitted,
} from './engine/api/questions.ts'
export type { Tool, ToolRun } from './engine/api/tool.ts'
export type { Auth, ToolContext } from './engine/api/tool-context.ts'
export type { UserActionDefinition } from './engine/api/user-actions.ts'
export type { Session } from './engine/session/create-session.ts'
export type { Turn } from './engine/session/turn.ts'
export type { Holdpoint } from './holdpoint.ts'
export { devUser } from './http/guard/dev-user.ts'
export type { Route } from './http/routing/route.ts'
export type { HoldpointOptions } from './options.ts'
