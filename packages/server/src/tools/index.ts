export type { ModeRule, ToolMode } from './modes.ts'
export type { Confirmation, EffectInfo, Effects, PolicyContext, Review, ToolPolicy } from './policy.ts'
export {
  type GuardedAiToolDefinition,
  type PolicyAiToolDefinition,
  type PolicyToolDefinition,
  withPolicy,
} from './with-policy.ts'
