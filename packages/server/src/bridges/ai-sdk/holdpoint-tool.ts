import type { Tool, ToolExecutionOptions } from 'ai'
import type { z } from 'zod'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { type AskingTool, definitions, toolNotWrapped } from '../handlers/asking-tool.ts'
import type { ToolNotRun } from '../handlers/tool-not-run.ts'

/** The second argument of `execute`: the context to ask the user, and the AI SDK's data about the call. */
export type AiToolContext<Before = undefined> = ToolContext & {
  /** The result of `before`. */
  readonly before: Before
  /**
   * The AI SDK's own options: messages, context. Its `abortSignal` is that of the call, so a page reload does not abort
   * it.
   */
  readonly ai: ToolExecutionOptions<unknown>
}

/** An AI SDK tool that declares what a person must decide before it runs. */
export interface HoldpointToolDefinition<Input, Output, Before> extends AskingTool<Input, Before> {
  description?: string
  title?: string
  inputSchema: z.ZodType<Input>
  /** The tool settings that a user may choose; `withPolicy` sets them. */
  choices?: readonly string[]
  execute: (input: Input, ctx: AiToolContext<Before>) => Output | Promise<Output>
}

const { attach, find } = definitions<HoldpointToolDefinition<unknown, unknown, unknown>>('aiTool')
export const definitionOf = find

/**
 * Creates a tool of the AI SDK that asks people. Pass it to `hp.tools(...)`, otherwise it throws when it runs.
 *
 * @example
 * const deleteFiles = holdpointTool({
 *   description: 'Deletes files',
 *   inputSchema: z.object({ files: z.array(z.string()) }),
 *   approve: ({ files }) => ({ prompt: `Delete ${files.length} files?`, scopes: ['once', 'session'] }),
 *   execute: async ({ files }, ctx) => ctx.once('delete', () => removeAll(files)),
 * })
 */
export function holdpointTool<Input, Output, Before = undefined>(
  definition: HoldpointToolDefinition<Input, Output, Before>,
): Tool<Input, Output | ToolNotRun> {
  const { description, title, inputSchema } = definition
  const tool = {
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    inputSchema,
    execute: () => {
      throw toolNotWrapped(
        'This tool',
        'holdpointTool',
        'Pass tools: hp.tools({ … }) to streamText, where hp = aiSdk(holdpoint, { … }).',
      )
    },
  }
  // The SDK's type of a tool is conditional on its output, so TypeScript cannot check it for a generic output.
  return attach(tool, definition as HoldpointToolDefinition<unknown, unknown, unknown>) as unknown as Tool<
    Input,
    Output | ToolNotRun
  >
}
