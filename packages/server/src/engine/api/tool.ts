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
export interface ToolDefinition<Input, Result, Raw = Input, Before = undefined> {
  name: string
  /** A zod schema. The raw input is stored and parsed again after a crash, so the schema must accept it again. */
  input: ToolInput<Input, Raw>
  /**
   * Asks what a person must decide before `execute`, which receives its value as `ctx.before`. It may run more than once,
   * and in two processes at the same time if both receive the call, so it must have no other effects. In return the call
   * is stored together with its first question.
   *
   * @example
   * const deleteFiles = holdpoint.tool({
   *   name: 'delete_files',
   *   input: z.object({ files: z.array(z.string()) }),
   *   before: ({ files }, ctx) => ctx.approve({ prompt: `Delete ${files.length} files?`, args: { files } }),
   *   execute: (_input, { before }) => removeAll(before.args.files),
   * })
   */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
  execute: (input: Input, ctx: ToolRunContext<Before>) => Result | Promise<Result>
  /** Checks arguments that a person changed, where it is another schema than `input`. */
  edits?: ArgsSchema<unknown>
  /** What users may choose for this tool with `holdpoint.toolSettings.set`. Made by `withPolicy`. */
  choices?: readonly string[]
}

/** The context of a registered tool's `execute`. */
export type ToolRunContext<Before = undefined> = ToolContext & {
  /** The value of the tool's `before`. */
  readonly before: Before
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
  readonly before?: (input: never, ctx: ToolContext) => unknown
  readonly execute: (input: never, ctx: never) => unknown
  readonly edits?: ArgsSchema<unknown>
  readonly choices?: readonly string[]
}
