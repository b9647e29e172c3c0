import type { FormSpec } from '@holdpoint/core/forms'
import type { Json } from '../base/canonical-json.ts'
import type { Account, ApproveOptions, ConnectOptions } from '../engine/api/questions.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import type { RefusalOutcome } from '../engine/state/rows.ts'
import type { ModeRule, ToolMode } from './modes.ts'

/** What the person said about the call that runs now. */
export interface Confirmation {
  mode: ToolMode
  /** The person changed the input; `execute` gets the changed one. */
  edited: boolean
  /** What a `form` collected. Secrets are references: open them with `ctx.secret(…)`. */
  form?: Record<string, unknown>
  /** Of a question with a diff: the ids of the hunks. */
  accepted?: readonly string[]
  rejected?: readonly string[]
}

/** What `execute` gets besides its input: the tool's context, and what was confirmed. */
export type PolicyContext = ToolContext & {
  readonly confirmation: Confirmation
  /** The same whenever this call is run again: give it to whatever must not happen twice. */
  readonly idempotencyKey: string
}

/** What every deferred effect gets. */
export interface EffectInfo<Input> {
  input: Input
  ctx: ToolContext
  /** The same when the effect runs again because its process died inside. */
  idempotencyKey: string
  signal: AbortSignal
}

/**
 * What happens when the confirmation arrives, each once: its value is journaled with the call, and takes the place of
 * the pending output.
 */
export interface Effects<Input, Result, Confirmed = unknown, Part = unknown, Connected = unknown> {
  /** All of a result was confirmed. */
  confirmed?: (result: Result, info: EffectInfo<Input>) => Confirmed | Promise<Confirmed>
  /** Some hunks of a diff were taken, others left. Without it a part counts as declined. */
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
   * It was declined, ran out of time, or the person went on without answering. `result` is there when the tool had run.
   * What this returns is the output of the declined call. A cancelled run has no effects.
   */
  declined?: (info: EffectInfo<Input> & { outcome: RefusalOutcome; reason?: string; result?: Result }) => unknown
}

type Question<Input> = Omit<ApproveOptions<Input>, 'args' | 'schema' | 'policy'>

/** What is asked about a result. */
export type Review =
  | (Omit<ApproveOptions<unknown>, 'args' | 'schema' | 'policy' | 'editable' | 'argsSchema' | 'key'> & {
      /** What a wider yes is remembered for. */
      key?: Json
      integrations?: undefined
    })
  | ConnectOptions<string>

/** When people are asked about a tool, what, and what their answer does. */
export interface ToolPolicy<Input, Result, Confirmed = unknown, Part = unknown, Connected = unknown> {
  /** What holds when nothing else says something; `confirm_before_execution` unless given. */
  mode?: ToolMode
  /** Decided from the input, before what the user chose; undefined leaves it to that. Asked again for an edited input. */
  modeFrom?: (input: Input) => ToolMode | undefined | Promise<ToolMode | undefined>
  /** What each user may choose for this tool, by name: `{ ask: 'confirm_before_execution', all: 'auto' }`. */
  choices?: Readonly<Record<string, ModeRule<Input>>>
  /** Whether this input may run at all: true, or why not. Asked again for an edited input. */
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
