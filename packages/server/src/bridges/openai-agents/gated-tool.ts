import { HoldpointError } from '@holdpoint/core'
import type { FunctionTool, RunContext } from '@openai/agents'
import { contextWith, type Questions, type RunnableTool, settle } from '../handlers/settle.ts'
import { definitionOf } from './agent-tool.ts'

export type AnyFunctionTool = FunctionTool<unknown, never, unknown>

/** The arguments that the SDK passes to a tool besides its input. */
export interface Invocation {
  runContext: RunContext<unknown>
  details: Parameters<AnyFunctionTool['invoke']>[2]
}

/** True if a call of the tool may open a question. */
export function mayAsk(tool: AnyFunctionTool): boolean {
  const definition = definitionOf(tool)
  return !definition || definition.approve !== undefined || definition.before !== undefined
}

/** Returns a function tool in the form that the bridge runs, for one call of the SDK. */
export function gatedTool(tool: AnyFunctionTool, { runContext, details }: Invocation): RunnableTool {
  const { name } = tool
  const definition = definitionOf(tool)
  if (definition) {
    const { parameters: schema, execute } = definition
    return {
      ...{ name, schema },
      settle: (input, ctx) => settle({ ...definition, schema } as Questions, input, ctx),
      execute: async (args, ctx, before) => await execute(args, contextWith(ctx, { before })),
    }
  }
  return {
    name,
    async settle(input, ctx) {
      const needs = await tool.needsApproval(runContext, input as never, details?.toolCall?.callId)
      if (needs) await ctx.approve({ args: input })
      return { args: input, before: undefined }
    },
    execute: async (args, ctx) =>
      // Only the call's own signal aborts the tool.
      await tool.invoke(runContext, JSON.stringify(args), { ...details, signal: ctx.signal }),
  }
}

/** Parses the input with the tool's schema, including defaults, so that the person sees what will run. */
export async function inputOf(tool: AnyFunctionTool, given: unknown): Promise<unknown> {
  const read = await definitionOf(tool)?.parameters.safeParseAsync(given)
  if (!read) return given
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new HoldpointError(
    'invalid_tool_input',
    `The input of ${tool.name} does not fit its schema. ${faults.join(' ')}`,
  )
}
