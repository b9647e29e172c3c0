import { HoldpointError } from '@holdpoint/core'

/** The modes of a tool, which decide when its calls need an approval. */
export type ToolMode =
  /** The user is not asked. */
  | 'auto'
  /** The call runs after the user approved it. */
  | 'confirm_before_execution'
  /** The call runs, and its result is used after the user approved it. */
  | 'confirm_after_execution'

/** A mode, or a function that returns it for an input. */
export type ModeRule<Input> = ToolMode | ((input: Input) => ToolMode | undefined | Promise<ToolMode | undefined>)

/** The rules from which the effective mode is computed. */
export interface ModeRules<Input> {
  mode?: ToolMode
  modeFrom?: (input: Input) => ToolMode | undefined | Promise<ToolMode | undefined>
  choices?: Readonly<Record<string, ModeRule<Input>>>
}

export interface ModeFacts {
  /** The user's setting; null if there is none. */
  choice: string | null
  /** True if the call asks for a `secret`. */
  asksSecrets: boolean
}

const strictness: Record<ToolMode, number> = { auto: 0, confirm_after_execution: 1, confirm_before_execution: 2 }

/**
 * Returns the mode of one call. A call that asks for secrets always needs a confirmation. Otherwise the tool's own
 * function of the input decides, then the user's setting, then the tool's default. A tool without any rule asks before
 * it runs.
 */
export async function effectiveMode<Input>(
  rules: ModeRules<Input>,
  input: Input,
  { choice, asksSecrets }: ModeFacts,
): Promise<ToolMode> {
  if (asksSecrets) return 'confirm_before_execution'
  const computed = await rules.modeFrom?.(input)
  if (computed !== undefined) return known(computed)
  const chosen = choice !== null && Object.hasOwn(rules.choices ?? {}, choice) ? rules.choices?.[choice] : undefined
  const wanted = typeof chosen === 'function' ? await chosen(input) : chosen
  return known(wanted ?? rules.mode ?? 'confirm_before_execution')
}

/** Returns the stricter of two modes, so that a later decision about a call is never more lenient. */
export function strictest(a: ToolMode, b: ToolMode): ToolMode {
  return strictness[a] >= strictness[b] ? a : b
}

/** Throws for an unknown mode, so that a typing mistake does not run a tool without a question. */
function known(mode: ToolMode): ToolMode {
  if (Object.hasOwn(strictness, mode)) return mode
  throw new HoldpointError(
    'unknown_mode',
    `"${String(mode)}" is no mode of a tool. Use auto, confirm_before_execution or confirm_after_execution.`,
  )
}
