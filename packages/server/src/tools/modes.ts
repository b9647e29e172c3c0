import { HoldpointError } from '@holdpoint/core'

/** The modes of a tool, which decide when its calls need an approval. */
export type ToolMode =
  /** The user is not asked. */
  | 'auto'
  /** The call runs after the user approved it. */
  | 'confirm_before_execution'
  /** The call runs, and its result counts after the user approved it. */
  | 'confirm_after_execution'

/** A mode, or how it follows from the input. */
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
  /** The call asks for a `secret`. */
  asksSecrets: boolean
}

const strictness: Record<ToolMode, number> = { auto: 0, confirm_after_execution: 1, confirm_before_execution: 2 }

/**
 * Returns the mode of one call. A call with secrets always asks, whatever the settings. Then the tool's own function of
 * the input decides, then the user's setting, then the tool's default. A tool without any rule asks before it runs.
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

/** A call that was decided about before is never decided more leniently later. */
export function strictest(a: ToolMode, b: ToolMode): ToolMode {
  return strictness[a] >= strictness[b] ? a : b
}

/** A typing mistake must not read as "run it". */
function known(mode: ToolMode): ToolMode {
  if (Object.hasOwn(strictness, mode)) return mode
  throw new HoldpointError(
    'unknown_mode',
    `"${String(mode)}" is no mode of a tool. Use auto, confirm_before_execution or confirm_after_execution.`,
  )
}
