import type { ArgsSchema } from './questions.ts'
import type { ToolContext } from './tool-context.ts'

/**
 * The schema of a tool's input. `Raw` is its type before defaults and transforms; zod declares it through Standard
 * Schema.
 */
export interface ToolInput<Input, Raw = Input> extends ArgsSchema<Input> {
  readonly '~standard'?: { readonly types?: { readonly input: Raw } | undefined }
}

/** What `holdpoint.tool` registers, so that another process can run the tool again after a crash. */
export interface ToolDefinition<Input, Result, Raw = Input> {
  name: string
  /** A zod schema. The raw input is stored and parsed again after a crash, so the schema must accept it again. */
  input: ToolInput<Input, Raw>
  execute: (input: Input, ctx: ToolContext) => Result | Promise<Result>
  /** Checks arguments that a person changed, where it is another schema than `input`. */
  edits?: ArgsSchema<unknown>
  /** What users may choose for this tool with `holdpoint.toolSettings.set`. Made by `withPolicy`. */
  choices?: readonly string[]
}

/** A tool that can be run again from its stored input: made by `holdpoint.tool`. */
export type Tool<Input, Result, Raw = Input> = Readonly<ToolDefinition<Input, Result, Raw>>

/** How far a tool came. */
export type ToolRun<Result> =
  | { status: 'completed'; result: Result }
  /** The tool waits for a person, and this process does not: the tool runs again when these questions are settled. */
  | { status: 'suspended'; interactionIds: string[] }

/** A tool whose types are only known at run time. */
export interface AnyTool {
  readonly name: string
  readonly input: ArgsSchema<unknown>
  readonly execute: (input: never, ctx: ToolContext) => unknown
  readonly edits?: ArgsSchema<unknown>
  readonly choices?: readonly string[]
}
