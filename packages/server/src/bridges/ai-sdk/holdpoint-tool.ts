import { HoldpointError } from '@holdpoint/core'
import type { Tool, ToolExecutionOptions } from 'ai'
import type { z } from 'zod'
import type { ApproveOptions } from '../../engine/api/questions.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
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
export interface HoldpointToolDefinition<Input, Output, Before> {
  description?: string
  title?: string
  inputSchema: z.ZodType<Input>
  /** The tool settings that a user may choose; `withPolicy` sets them. */
  choices?: readonly string[]
  /**
   * Returns the approval to ask for before `execute`, or nothing if none is needed. `args` and `rememberAs` default to
   * the input, so that an approval for always covers this input only.
   */
  approve?: (
    input: Input,
  ) => ApproveOptions<Input> | false | undefined | Promise<ApproveOptions<Input> | false | undefined>
  /** Asks for forms and accounts that the tool needs. It may run more than once, so it must have no other effects. */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
  execute: (input: Input, ctx: AiToolContext<Before>) => Output | Promise<Output>
}

/** The property of a tool with its definition. `Symbol.for`, so that two copies of this module find it. */
const DEFINITION = Symbol.for('holdpoint.aiTool')

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
      throw unwrapped()
    },
    [DEFINITION]: definition,
  }
  // The SDK's type of a tool is conditional on its output, so TypeScript cannot check it for a generic output.
  return tool as unknown as Tool<Input, Output | ToolNotRun>
}

export type AnyDefinition = HoldpointToolDefinition<unknown, unknown, unknown>

export function definitionOf(tool: object): AnyDefinition | undefined {
  return DEFINITION in tool ? (tool[DEFINITION] as AnyDefinition) : undefined
}

function unwrapped(): HoldpointError {
  return new HoldpointError(
    'tool_not_wrapped',
    'This tool was made with holdpointTool and called without a Holdpoint. Pass tools: hp.tools({ … }) to streamText, where hp = aiSdk(holdpoint, { … }).',
  )
}
