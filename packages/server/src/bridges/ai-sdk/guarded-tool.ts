import type { ToolExecutionOptions, ToolSet } from 'ai'
import type { ApproveOptions } from '../../engine/api/questions.ts'
import type { Tool } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { contextWith, type RunnableTool, asTool as runnable, settle } from '../handlers/settle.ts'
import { definitionOf } from './holdpoint-tool.ts'

export type AiOptions = ToolExecutionOptions<unknown>

/** A tool in the form that the bridge runs, for tools of `holdpointTool` and for tools of the SDK. */
export interface GuardedTool extends Pick<RunnableTool, 'name' | 'schema' | 'choices'> {
  /** True if the tool may ask a question before it runs. */
  mayAsk: boolean
  approve(input: unknown, ai: AiOptions): Promise<ApproveOptions<unknown> | undefined>
  before?(input: unknown, ctx: ToolContext): unknown
  execute(input: unknown, ctx: ToolContext, before: unknown, ai: AiOptions): Promise<unknown>
}

/** Returns undefined for tools that run in the browser or at the provider. */
export function guardedTool(name: string, tool: ToolSet[string]): GuardedTool | undefined {
  const definition = definitionOf(tool)
  if (definition) {
    const { approve, before, choices, inputSchema: schema, execute } = definition
    return {
      ...{ name, schema, choices },
      mayAsk: approve !== undefined || before !== undefined,
      approve: async (input) => (await approve?.(input)) || undefined,
      ...(before && { before }),
      execute: async (input, ctx, before, ai) => await execute(input, contextWith(ctx, { before, ai })),
    }
  }
  const { execute, needsApproval, title } = tool
  if (!execute) return undefined
  return {
    name,
    mayAsk: needsApproval !== undefined && needsApproval !== false,
    approve: async (input, ai) =>
      (await needs(tool, input, ai)) ? { ...(title !== undefined && { prompt: `Run ${title}?` }) } : undefined,
    execute: async (input, _ctx, _before, ai) => await lastOf(execute(input as never, ai)),
  }
}

/** Evaluates `needsApproval` of a tool of the SDK. */
export async function needs(tool: ToolSet[string] | undefined, input: unknown, ai: AiOptions): Promise<boolean> {
  const { needsApproval } = tool ?? {}
  return (typeof needsApproval === 'function' ? await needsApproval(input as never, ai) : needsApproval) ?? false
}

/** Returns the last output of a tool that streams its output. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isStream(output)) return await output
  let last: unknown
  for await (const value of output) last = value
  return last
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

/**
 * Returns the tool in the form that the bridge runs, with the SDK's data about the call. By default an approval may also
 * cover the session.
 */
export function withOptions(tool: GuardedTool, ai: (ctx: ToolContext) => AiOptions): RunnableTool {
  const own = (ctx: ToolContext) => ({ ...ai(ctx), abortSignal: ctx.signal })
  return {
    ...tool,
    async settle(input, ctx) {
      const approve = async (given: unknown) => {
        const asked = await tool.approve(given, own(ctx))
        return asked && { scopes: ['once', 'session'] as const, ...asked }
      }
      return await settle({ ...tool, approve }, input, ctx)
    },
    execute: (args, ctx, before) => tool.execute(args, ctx, before, own(ctx)),
  }
}

/** Returns the tool in the form that `runTool` takes. */
export function asTool(tool: GuardedTool, ai: (ctx: ToolContext) => AiOptions): Tool<unknown, unknown> {
  return runnable(withOptions(tool, ai))
}
