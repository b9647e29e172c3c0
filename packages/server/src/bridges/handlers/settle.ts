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

/** Converts an error of a tool to words for the model. Errors that concern the call are returned unchanged. */
export function failure(error: unknown, text = error instanceof Error ? error.message : String(error)): unknown {
  if (refusedBy(error) || isHoldpointError(error, 'ownership_lost')) return error
  return new HoldpointError('tool_failed', text, { cause: error })
}
