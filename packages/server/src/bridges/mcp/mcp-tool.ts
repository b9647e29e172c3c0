import type { z } from 'zod'
import type { Tool } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { AskingTool } from '../handlers/asking-tool.ts'
import { contextWith, asTool as runnable, type Settled, settle } from '../handlers/settle.ts'

/** A tool of an MCP server that declares what its user must decide before it runs. */
export interface McpToolDefinition<Input, Before = unknown> extends AskingTool<Input, Before> {
  title?: string
  description?: string
  inputSchema: z.ZodType<Input>
  outputSchema?: z.ZodType
  /** Hints of the MCP protocol, such as `destructiveHint`. */
  annotations?: Record<string, unknown>
  /** Returns text, or an object that becomes the structured result. */
  execute: (input: Input, ctx: ToolContext & { readonly before: Before }) => unknown
}

/** A tool with any input. It uses methods, because TypeScript compares their parameters bivariantly. */
export interface AnyMcpTool
  extends Pick<McpToolDefinition<unknown>, 'title' | 'description' | 'annotations' | 'outputSchema'> {
  inputSchema: z.ZodType
  approve?(input: never): unknown
  before?(input: never, ctx: never): unknown
  execute(input: never, ctx: never): unknown
}

/**
 * Defines a tool for `mcpTools`, with the types of its input.
 *
 * @example
 * const deleteFiles = mcpTool({
 *   description: 'Deletes files',
 *   inputSchema: z.object({ files: z.array(z.string()) }),
 *   approve: ({ files }) => ({ prompt: `Delete ${files.length} files?` }),
 *   execute: async ({ files }, ctx) => await ctx.once('delete', () => removeAll(files)),
 * })
 */
export function mcpTool<Input, Before = undefined>(
  definition: McpToolDefinition<Input, Before>,
): McpToolDefinition<Input, Before> {
  return definition
}

/** Asks the tool's questions. A repeated call finds their answers. */
export function settleTool(
  { approve, before, inputSchema: schema }: McpToolDefinition<unknown>,
  input: unknown,
  ctx: ToolContext,
): Promise<Settled> {
  return settle({ schema, ...(approve && { approve }), ...(before && { before }) }, input, ctx)
}

/** Returns the tool in the form that `runTool` takes. */
export function asTool(name: string, tool: McpToolDefinition<unknown>): Tool<unknown, unknown> {
  return runnable({
    ...{ name, schema: tool.inputSchema },
    settle: (input, ctx) => settleTool(tool, input, ctx),
    execute: async (args, ctx, before) => await tool.execute(args, contextWith(ctx, { before })),
  })
}
