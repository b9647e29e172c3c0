import type { FormSpec } from '@holdpoint/core/internal'
import type { Json } from '../base/canonical-json.ts'
import type { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { Account, ApproveOptions, ConnectOptions } from '../engine/api/questions.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import type { ModeRule, ToolMode } from './modes.ts'

/** The user's answer about the current call. */
export interface Confirmation {
  mode: ToolMode
  /** True if the person changed the input. `execute` receives the changed input. */
  edited: boolean
  /** The values of a `form`. Secrets are references: open them with `ctx.secret(…)`. */
  form?: Record<string, unknown>
  /** Only for a question with a diff: the ids of the accepted hunks. */
  accepted?: readonly string[]
  rejected?: readonly string[]
}

/** The second argument of `execute`: the tool's context with the confirmation. */
export type PolicyContext = ToolContext & {
  readonly confirmation: Confirmation
  /** A key that stays the same when this call runs again. Pass it to every operation that must not happen twice. */
  readonly idempotencyKey: string
}

/** The facts that every effect receives. */
export interface EffectInfo<Input> {
  input: Input
  ctx: ToolContext
  /** A key that stays the same if the effect runs again because its process died. */
  idempotencyKey: string
  signal: AbortSignal
}

/**
 * The effects of a confirmation. Each runs once: its value is journaled with the call, and replaces the pending output.
 */
export interface Effects<Input, Result, Confirmed = unknown, Part = unknown, Connected = unknown> {
  /** Called when the result was confirmed completely. */
  confirmed?: (result: Result, info: EffectInfo<Input>) => Confirmed | Promise<Confirmed>
  /**
   * Called when only some hunks of a diff were accepted. Without this effect, a partial approval counts as declined.
   */
  partial?: (
    result: Result,
    info: EffectInfo<Input> & { accepted: readonly string[]; rejected: readonly string[] },
  ) => Part | Promise<Part>
  /** Called when the accounts of a `review` are connected. */
  connected?: (
    result: Result,
    info: EffectInfo<Input> & { accounts: Record<string, Account> },
  ) => Connected | Promise<Connected>
  /**
   * Called when the call was declined or timed out, or when the user continued without answering. `result` is present
   * if the tool had run. The returned value is the output of the declined call. A cancelled run has no effects.
   */
  declined?: (
    info: EffectInfo<Input> & { outcome: InteractionRefused['outcome']; reason?: string; result?: Result },
  ) => unknown
}

type Question<Input> = Omit<ApproveOptions<Input>, 'args' | 'schema' | 'policy'>

/** The question about a result. */
export type Review =
  | (Omit<ApproveOptions<unknown>, 'args' | 'schema' | 'policy' | 'editable' | 'argsSchema' | 'rememberAs'> & {
      /** Identifies what an approval with a wider scope covers. */
      rememberAs?: Json
      integrations?: undefined
    })
  | ConnectOptions<string>

/** Defines when a tool asks users, with which question, and the effect of their answer. */
export interface ToolPolicy<Input, Result, Confirmed = unknown, Part = unknown, Connected = unknown> {
  /**
   * The default mode.
   *
   * @default 'confirm_before_execution'
   */
  mode?: ToolMode
  /**
   * Returns the mode for an input, which takes precedence over the user's setting. Return undefined to use the user's
   * setting. Called again for an edited input.
   */
  modeFrom?: (input: Input) => ToolMode | undefined | Promise<ToolMode | undefined>
  /**
   * The settings that each user may choose for this tool, by name: `{ ask: 'confirm_before_execution', all: 'auto' }`.
   */
  choices?: Readonly<Record<string, ModeRule<Input>>>
  /** Returns true if this input may run, otherwise false or the reason. Also called for an edited input. */
  allow?: (input: Input) => boolean | string | Promise<boolean | string>
  /** Returns the question before execution. Its `args` are the input. */
  confirm?: (input: Input) => Question<Input> | Promise<Question<Input>>
  /**
   * Returns fields to fill in before the call runs, in any mode. If one of them is a `secret`, the confirmation is
   * required with every setting.
   */
  form?: (input: Input) => FormSpec | undefined | Promise<FormSpec | undefined>
  /** Returns the output that the call shows while a person decides before execution. */
  pending?: (input: Input) => unknown
  /** Returns the question after execution: an approval, optionally with a diff, or accounts to connect. */
  review?: (result: Result, input: Input) => Review | Promise<Review>
  effects?: Effects<Input, Result, Confirmed, Part, Connected>
}
