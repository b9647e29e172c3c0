import { type FunctionTool, tool } from '@openai/agents'
import type { z } from 'zod'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { type AskingTool, definitions, toolNotWrapped } from '../handlers/asking-tool.ts'

/** A tool of the OpenAI Agents SDK that declares what a person must decide before it runs. */
export interface AgentToolDefinition<Input, Before> extends AskingTool<Input, Before> {
  name: string
  description: string
  /** An object schema. */
  parameters: z.ZodType<Input>
  /** Runs the tool. `ctx.before` is the result of `before`. */
  execute: (input: Input, ctx: ToolContext & { readonly before: Before }) => unknown
}

const { attach, find } = definitions<AgentToolDefinition<unknown, unknown>>('agentTool')
export const definitionOf = find

/**
 * Creates a tool of the OpenAI Agents SDK that asks people. Pass it to `hp.tools([…])`, otherwise it throws when it
 * runs.
 *
 * @example
 * const deleteFiles = agentTool({
 *   name: 'delete_files',
 *   description: 'Deletes files',
 *   parameters: z.object({ files: z.array(z.string()) }),
 *   approve: ({ files }) => ({ prompt: `Delete ${files.length} files?` }),
 *   execute: async ({ files }, ctx) => await ctx.once('delete', () => removeAll(files)),
 * })
 */
export function agentTool<Input, Before = undefined>(
  definition: AgentToolDefinition<Input, Before>,
): FunctionTool<unknown, never, unknown> {
  const { name, description, parameters } = definition
  const made = tool({
    ...{ name, description, parameters: parameters as never },
    errorFunction: null,
    execute: () => {
      throw toolNotWrapped(
        name,
        'agentTool',
        'Pass tools: hp.tools([…]) to the Agent, where hp = openAiAgents(holdpoint, { … }).',
      )
    },
  })
  return attach(made, definition as AgentToolDefinition<unknown, unknown>) as unknown as FunctionTool<
    unknown,
    never,
    unknown
  >
}
