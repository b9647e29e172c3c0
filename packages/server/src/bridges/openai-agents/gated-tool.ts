import { HoldpointError } from '@holdpoint/core'
import type { FunctionTool, RunContext } from '@openai/agents'
import type { ArgsSchema } from '../../engine/api/questions.ts'
import type { Tool } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { failure, type Questions, asTool as runnable, type Settled, settle } from '../handlers/settle.ts'
import { definitionOf } from './agent-tool.ts'

export type AnyFunctionTool = FunctionTool<unknown, never, unknown>
type Details = Parameters<AnyFunctionTool['invoke']>[2]

/** The arguments that the SDK passes to a tool besides its input. */
export interface Invocation {
  runContext: RunContext<unknown>
  details: Details
}

/** A function tool in the form that the bridge runs. */
export interface GatedTool {
  name: string
  schema?: ArgsSchema<unknown>
  /** True if a call of the tool may open a question. */
  mayAsk: boolean
  /** Asks the questions of the call. A repeated call with the same questions finds their answers. */
  settle(input: unknown, ctx: ToolContext, run: Invocation): Promise<Settled>
  execute(args: unknown, ctx: ToolContext, before: unknown, run: Invocation): Promise<unknown>
}

export function gatedTool(tool: AnyFunctionTool): GatedTool {
  const { name } = tool
  const definition = definitionOf(tool)
  if (!definition) {
    return {
      name,
      mayAsk: true,
      async settle(input, ctx, { runContext, details }) {
        const needs = await tool.needsApproval(runContext, input as never, details?.toolCall?.callId)
        if (needs) await ctx.approve({ args: input })
        return { args: input, before: undefined }
      },
      execute: async (args, ctx, _before, { runContext, details }) =>
        // Only the call's own signal aborts the tool.
        await tool.invoke(runContext, JSON.stringify(args), { ...details, signal: ctx.signal }),
    }
  }
  const { approve, before, parameters: schema } = definition
  const questions: Questions = { schema, ...(approve && { approve }), ...(before && { before }) }
  return {
    name,
    schema,
    mayAsk: approve !== undefined || before !== undefined,
    settle: (input, ctx) => settle(questions, input, ctx),
    execute: async (args, ctx, given) =>
      await definition.execute(args, { ...ctx, interaction: ctx.interaction, before: given }),
  }
}

/** Returns the tool in the form that `runTool` takes, for one call of the SDK. */
export function asTool(tool: GatedTool, run: Invocation): Tool<unknown, unknown> {
  const settle = (input: unknown, ctx: ToolContext) => tool.settle(input, ctx, run)
  const execute = (args: unknown, ctx: ToolContext, before: unknown) => tool.execute(args, ctx, before, run)
  return runnable({ ...tool, settle, execute }, failure)
}

/** Parses the input with the tool's schema, including defaults, so that the person sees what will run. */
export async function inputOf({ name, schema }: GatedTool, given: unknown): Promise<unknown> {
  if (!schema) return given
  const read = await schema.safeParseAsync(given)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new HoldpointError('invalid_tool_input', `The input of ${name} does not fit its schema. ${faults.join(' ')}`)
}
