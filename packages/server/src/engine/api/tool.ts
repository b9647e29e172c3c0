import type { ToolContext } from './context.ts'
import type { ArgsSchema } from './requests.ts'

/** What `holdpoint.tool` registers, so that another process can run the tool again after a crash. */
export interface ToolDefinition<Input, Result> {
  name: string
  /** A zod schema. What is stored and given back after a crash is what was passed in, so it must read that again. */
  input: ArgsSchema<Input>
  execute: (input: Input, ctx: ToolContext) => Result | Promise<Result>
  /** What users may choose for this tool with `holdpoint.policies.set`. Made by `withPolicy`. */
  choices?: readonly string[]
}

/** A tool that can be run again from its stored input: made by `holdpoint.tool`. */
export type Tool<Input, Result> = Readonly<ToolDefinition<Input, Result>>

/** How far a tool came. */
export type ToolRun<Result> =
  | { status: 'completed'; result: Result }
  /** It waits for a person, and this process need not: it is run again when these questions are settled. */
  | { status: 'suspended'; interactionIds: string[] }

/** A tool whose types are only known at run time. */
export interface AnyTool {
  readonly name: string
  readonly input: ArgsSchema<unknown>
  readonly execute: (input: never, ctx: ToolContext) => unknown
  readonly choices?: readonly string[]
}
