import { HoldpointError } from '@holdpoint/core'
import { type DynamicStructuredTool, type ToolRuntime, tool } from 'langchain'
import type { z } from 'zod'
import type { ApproveOptions } from '../../engine/api/questions.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'

/** The second argument of `execute`: the context to ask the user, and LangChain's data about the call. */
export type LangChainToolContext<Before = undefined> = ToolContext & {
  /** The result of `before`. */
  readonly before: Before
  /** LangChain's runtime. Its `signal` is that of the call, so an aborted request does not abort it. */
  readonly runtime: ToolRuntime
}

/** A LangChain tool that declares what a person must decide before it runs. */
export interface LangChainToolDefinition<Input, Output, Before> {
  name: string
  description: string
  schema: z.ZodType<Input>
  /**
   * Returns the approval to ask for before `execute`, or nothing if none is needed. The `args` of the question are the
   * input.
   */
  approve?: (
    input: Input,
  ) => ApproveOptions<Input> | false | undefined | Promise<ApproveOptions<Input> | false | undefined>
  /** Asks for forms and accounts that the tool needs. It may run more than once, so it must have no other effects. */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
  execute: (input: Input, ctx: LangChainToolContext<Before>) => Output | Promise<Output>
}

export type AnyDefinition = LangChainToolDefinition<unknown, unknown, unknown>

/** The values that the middleware passes to a tool through its configuration. */
export interface Given {
  ctx: ToolContext
  before: unknown
}

/** The property of a tool with its definition. `Symbol.for`, so that two copies of this module find it. */
const DEFINITION = Symbol.for('holdpoint.langchainTool')
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
    if (!given) throw unwrapped(name)
    const { ctx, before } = given
    return await execute(input as Input, {
      ...ctx,
      interaction: ctx.interaction,
      before: before as Before,
      runtime,
    })
  }
  const made = tool(run as never, { name, description, schema: schema as never })
  return Object.assign(made, { [DEFINITION]: definition }) as unknown as DynamicStructuredTool
}

export function definitionOf(found: object | undefined): AnyDefinition | undefined {
  return found && DEFINITION in found ? (found[DEFINITION] as AnyDefinition) : undefined
}

function unwrapped(name: string): HoldpointError {
  return new HoldpointError(
    'tool_not_wrapped',
    `${name} was made with langchainTool and called without a Holdpoint. Pass middleware: [holdpointMiddleware(holdpoint, { … })] to createAgent.`,
  )
}
