import type { ToolExecutionOptions, ToolSet } from 'ai'
import type { ApproveOptions, ArgsSchema } from '../../engine/api/questions.ts'
import type { Tool } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { asTool as runnable, type Settled, settle } from '../handlers/settle.ts'
import { definitionOf } from './holdpoint-tool.ts'

export type AiOptions = ToolExecutionOptions<unknown>

/** A tool in the form that the bridge runs, for tools of `holdpointTool` and for tools of the SDK. */
export interface GuardedTool {
  name: string
  /** True if the tool may ask a question before it runs. */
  mayAsk: boolean
  /** The tool settings that a user may choose on a settings page. */
  choices?: readonly string[]
  schema?: ArgsSchema<unknown>
  approve(input: unknown, ai: AiOptions): Promise<ApproveOptions<unknown> | undefined>
  before(input: unknown, ctx: ToolContext): Promise<unknown>
  execute(input: unknown, ctx: ToolContext, before: unknown, ai: AiOptions): Promise<unknown>
}

/** Returns undefined for tools that run in the browser or at the provider. */
export function guardedTool(name: string, tool: ToolSet[string]): GuardedTool | undefined {
  const definition = definitionOf(tool)
  if (definition) {
    return {
      name,
      mayAsk: definition.approve !== undefined || definition.before !== undefined,
      ...(definition.choices && { choices: definition.choices }),
      schema: definition.inputSchema,
      approve: async (input) => (await definition.approve?.(input)) || undefined,
      before: async (input, ctx) => await definition.before?.(input, ctx),
      execute: async (input, ctx, before, ai) =>
        await definition.execute(input, { ...ctx, interaction: ctx.interaction, before, ai }),
    }
  }
  const { execute, needsApproval, title } = tool
  if (!execute) return undefined
  return {
    name,
    mayAsk: needsApproval !== undefined && needsApproval !== false,
    async approve(input, ai) {
      const needed = typeof needsApproval === 'function' ? await needsApproval(input as never, ai) : needsApproval
      if (!needed) return undefined
      return title === undefined ? {} : { prompt: `Run ${title}?` }
    },
    before: async () => undefined,
    execute: async (input, _ctx, _before, ai) => await lastOf(execute(input as never, ai)),
  }
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

/** Asks the tool's questions before it runs. By default an approval may also cover the session. */
export async function settleTool(tool: GuardedTool, input: unknown, ctx: ToolContext, ai: AiOptions): Promise<Settled> {
  const approve = async (given: unknown) => {
    const asked = await tool.approve(given, ai)
    return asked && { scopes: ['once', 'session'] as const, ...asked }
  }
  return await settle({ schema: tool.schema, approve, before: tool.before }, input, ctx)
}

/**
 * Returns the tool in the form that `runTool` takes: first its questions, then `execute`. `ai` contains the SDK's data
 * about the call.
 */
export function asTool(tool: GuardedTool, ai: (ctx: ToolContext) => AiOptions): Tool<unknown, unknown> {
  const own = (ctx: ToolContext) => ({ ...ai(ctx), abortSignal: ctx.signal })
  return runnable({
    ...tool,
    settle: (input, ctx) => settleTool(tool, input, ctx, own(ctx)),
    execute: (args, ctx, before) => tool.execute(args, ctx, before, own(ctx)),
  })
}
