import { type DynamicStructuredTool, type ToolRuntime, tool } from 'langchain'
import type { z } from 'zod'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { type AskingTool, definitions, toolNotWrapped } from '../handlers/asking-tool.ts'
import { contextWith } from '../handlers/settle.ts'

/** The second argument of `execute`: the context to ask the user, and LangChain's data about the call. */
export type LangChainToolContext<Before = undefined> = ToolContext & {
  /** The result of `before`. */
  readonly before: Before
  /** LangChain's runtime. Its `signal` is that of the call, so an aborted request does not abort it. */
  readonly runtime: ToolRuntime
}

/** A LangChain tool that declares what a person must decide before it runs. */
export interface LangChainToolDefinition<Input, Output, Before> extends AskingTool<Input, Before> {
  name: string
  description: string
  schema: z.ZodType<Input>
  execute: (input: Input, ctx: LangChainToolContext<Before>) => Output | Promise<Output>
}

type AnyDefinition = LangChainToolDefinition<unknown, unknown, unknown>

/** The values that the middleware passes to a tool through its configuration. */
export interface Given {
  ctx: ToolContext
  before: unknown
}

const { attach, find } = definitions<AnyDefinition>('langchainTool')
export const definitionOf = find

/** LangChain does not copy a key with this prefix into the metadata of traces. */
export const GIVEN = '__holdpoint'

/**
 * Creates a LangChain tool that asks people. Use it in an agent with `holdpointMiddleware`; without the middleware it
 * throws when it runs.
 *
 * @example
 * const deleteFiles = langchainTool({
 *   name: 'delete_files',
 *   description: 'Deletes files',
 *   schema: z.object({ files: z.array(z.string()) }),
 *   approve: ({ files }) => ({ prompt: `Delete ${files.length} files?` }),
 *   execute: async ({ files }, ctx) => ctx.once('delete', () => removeAll(files)),
 * })
 */
export function langchainTool<Input, Output, Before = undefined>(
  definition: LangChainToolDefinition<Input, Output, Before>,
): DynamicStructuredTool {
  const { name, description, schema, execute } = definition
  const run = async (input: unknown, runtime: ToolRuntime) => {
    const given = runtime.configurable?.[GIVEN] as Given | undefined
    if (!given) throw toolNotWrapped(name, 'langchainTool', REMEDY)
    const { ctx, before } = given
    return await execute(input as Input, contextWith(ctx, { before: before as Before, runtime }))
  }
  const made = tool(run as never, { name, description, schema: schema as never })
  return attach(made as unknown as DynamicStructuredTool, definition as AnyDefinition)
}

const REMEDY = 'Pass middleware: [holdpointMiddleware(holdpoint, { … })] to createAgent.'
