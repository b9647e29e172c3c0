import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { ApproveOptions, ArgsSchema } from '../../engine/api/questions.ts'
import type { Tool, ToolDefinition } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { refusedBy } from './tool-not-run.ts'

type Approval = ApproveOptions<unknown> | false | undefined

/** The questions of a tool. They are methods, because TypeScript compares the parameters of methods bivariantly. */
export interface Questions {
  schema?: ArgsSchema<unknown> | undefined
  approve?(input: unknown): Approval | Promise<Approval>
  before?(input: unknown, ctx: ToolContext): unknown
}

/** The arguments that may run, and the result of `before`. */
export interface Settled {
  args: unknown
  before: unknown
}

/** The input is valid already: the framework has checked it, or it is the stored input of a call that had begun. */
const anyInput: Tool<unknown, unknown>['input'] = { safeParseAsync: async (data) => ({ success: true, data }) }

/** Asks the questions of a tool. A repeated call with the same questions finds their answers. */
export async function settle(
  { schema, approve, before }: Questions,
  input: unknown,
  ctx: ToolContext,
): Promise<Settled> {
  const asked = await approve?.(input)
  const checks = schema && { schema }
  const args = asked ? (await ctx.approve<unknown>({ args: input, ...checks, ...asked })).args : input
  return { args, before: await before?.(args, ctx) }
}

/** A tool with its questions, in the form that a bridge runs. */
export interface RunnableTool<Result = unknown> {
  name: string
  schema?: ArgsSchema<unknown> | undefined
  choices?: readonly string[] | undefined
  /** Asks the questions of the call. A repeated call with the same questions finds their answers. */
  settle(input: unknown, ctx: ToolContext): Promise<Settled>
  execute(args: unknown, ctx: ToolContext, before: unknown): Promise<Result>
}

/**
 * Returns the tool in the form that `runTool` takes. Its questions are asked before `execute`, so that the call begins
 * together with their outcome.
 */
export function asTool<Result>(
  { name, schema, choices, settle, execute }: RunnableTool<Result>,
  toThrow: (error: unknown) => unknown = (error) => error,
): Tool<unknown, Result> {
  const definition: ToolDefinition<unknown, Result, unknown, Settled> = {
    name,
    ...(choices && { choices }),
    ...(schema && { edits: schema }),
    input: anyInput,
    async before(input, ctx) {
      try {
        return await settle(input, ctx)
      } catch (error) {
        // An error of Holdpoint, of the store for example, is not one of the tool. Nothing of the call is stored yet.
        throw isHoldpointError(error) ? error : toThrow(error)
      }
    },
    async execute(_input, ctx) {
      try {
        return await execute(ctx.before.args, ctx, ctx.before.before)
      } catch (error) {
        throw toThrow(error)
      }
    },
  }
  return definition as unknown as Tool<unknown, Result>
}

/** The context with which a tool of a framework runs. `before` is the result of the tool's own `before`. */
export const contextWith = <More extends object>(ctx: ToolContext, more: More): ToolContext & More => ({
  ...ctx,
  interaction: ctx.interaction,
  ...more,
})

/** Converts an error of a tool to words for the model. Errors that concern the call are returned unchanged. */
export function failure(error: unknown, text = error instanceof Error ? error.message : String(error)): unknown {
  if (refusedBy(error) || isHoldpointError(error, 'ownership_lost')) return error
  return new HoldpointError('tool_failed', text, { cause: error })
}
