import type { FormSpec } from '@holdpoint/core/internal'
import type { Json } from '../base/canonical-json.ts'
import type { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { Account, ApproveOptions, ConnectOptions } from '../engine/api/questions.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import type { ModeRule, ToolMode } from './modes.ts'

/** The user's answer about the current call. */
export interface Confirmation {
  mode: ToolMode
  /** The person changed the input; `execute` gets the changed one. */
  edited: boolean
  /** The values of a `form`. Secrets are references: open them with `ctx.secret(…)`. */
  form?: Record<string, unknown>
  /** Of a question with a diff: the ids of the hunks. */
  accepted?: readonly string[]
  rejected?: readonly string[]
}

/** The second argument of `execute`: the tool's context, and what was confirmed. */
export type PolicyContext = ToolContext & {
  readonly confirmation: Confirmation
  /** The same whenever this call runs again: pass it to everything that must not happen twice. */
  readonly idempotencyKey: string
}

/** The info that every effect receives. */
export interface EffectInfo<Input> {
  input: Input
  ctx: ToolContext
  /** The same when the effect runs again because its process died inside. */
  idempotencyKey: string
  signal: AbortSignal
}

/**
 * The effects of a confirmation. Each runs once: its value is journaled with the call, and replaces the pending output.
 */
export interface Effects<Input, Result, Confirmed = unknown, Part = unknown, Connected = unknown> {
  /** All of a result was confirmed. */
  confirmed?: (result: Result, info: EffectInfo<Input>) => Confirmed | Promise<Confirmed>
  /** Some hunks of a diff were accepted, others not. Without it a part counts as declined. */
  partial?: (
    result: Result,
    info: EffectInfo<Input> & { accepted: readonly string[]; rejected: readonly string[] },
  ) => Part | Promise<Part>
  /** The accounts of a `review` are connected. */
  connected?: (
    result: Result,
    info: EffectInfo<Input> & { accounts: Record<string, Account> },
  ) => Connected | Promise<Connected>
  /**
   * The call was declined or timed out, or the user continued without answering. `result` is present if the tool had
   * run. The returned value is the output of the declined call. A cancelled run has no effects.
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
  /** The default mode; `confirm_before_execution` if omitted. */
  mode?: ToolMode
  /** Decided from the input, before what the user chose; undefined leaves it to that. Asked again for an edited input. */
  modeFrom?: (input: Input) => ToolMode | undefined | Promise<ToolMode | undefined>
  /**
   * The settings that each user may choose for this tool, by name: `{ ask: 'confirm_before_execution', all: 'auto' }`.
   */
  choices?: Readonly<Record<string, ModeRule<Input>>>
  /** Whether this input may run at all: true, or the reason against it. Also called for an edited input. */
  allow?: (input: Input) => boolean | string | Promise<boolean | string>
  /** How the question before execution is put; its `args` are the input. */
  confirm?: (input: Input) => Question<Input> | Promise<Question<Input>>
  /** Fields to fill in before it runs, in any mode. One `secret` among them, and no setting spares the confirmation. */
  form?: (input: Input) => FormSpec | undefined | Promise<FormSpec | undefined>
  /** Shown as the call's output while a person decides before execution. */
  pending?: (input: Input) => unknown
  /** How the question after execution is put: an approval, with a diff perhaps, or accounts to connect. */
  review?: (result: Result, input: Input) => Review | Promise<Review>
  effects?: Effects<Input, Result, Confirmed, Part, Connected>
}
