import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { ApproveOptions, ArgsSchema } from '../../engine/api/questions.ts'
import type { Tool } from '../../engine/api/tool.ts'
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
export const anyInput: Tool<unknown, unknown>['input'] = {
  safeParseAsync: async (data) => ({ success: true, data }),
}

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
export interface RunnableTool<Result> {
  name: string
  schema?: ArgsSchema<unknown> | undefined
  choices?: readonly string[] | undefined
  /** Asks the questions of the call. A repeated call with the same questions finds their answers. */
  settle(input: unknown, ctx: ToolContext): Promise<Settled>
  execute(args: unknown, ctx: ToolContext, before: unknown): Promise<Result>
}

/** Returns the tool in the form that `runTool` takes: first its questions, then `execute`. */
export function asTool<Result>(
  { name, schema, choices, settle, execute }: RunnableTool<Result>,
  toThrow: (error: unknown) => unknown = (error) => error,
): Tool<unknown, Result> {
  return {
    name,
    ...(choices && { choices }),
    ...(schema && { edits: schema }),
    input: anyInput,
    async execute(input, ctx) {
      try {
        const { args, before } = await settle(input, ctx)
        return await execute(args, ctx, before)
      } catch (error) {
        throw toThrow(error)
      }
    },
  }
}

/** Converts an error of a tool to words for the model. Errors that concern the call are returned unchanged. */
export function failure(error: unknown, text = error instanceof Error ? error.message : String(error)): unknown {
  if (refusedBy(error) || isHoldpointError(error, 'ownership_lost')) return error
  return new HoldpointError('tool_failed', text, { cause: error })
}
