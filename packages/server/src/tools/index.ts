export { maskCredentials } from './history/mask.ts'
export type { ModelMessage, ToolOutput } from './history/model-message.ts'
export { readHistory } from './history/read-history.ts'
export type { LogEvent } from './history/read-log.ts'
export { type ModelMessagesOptions, toModelMessages } from './history/to-model-messages.ts'
export type { ModeRule, ToolMode } from './modes.ts'
export type { Confirmation, EffectInfo, Effects, PolicyContext, Review, ToolPolicy } from './policy.ts'
export { userAction } from './user-action.ts'
export {
  type GuardedAiToolDefinition,
  type PolicyAiToolDefinition,
  type PolicyToolDefinition,
  withPolicy,
} from './with-policy.ts'
