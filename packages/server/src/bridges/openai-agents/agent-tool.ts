import { HoldpointError } from '@holdpoint/core'
import { type FunctionTool, tool } from '@openai/agents'
import type { z } from 'zod'
import type { ApproveOptions } from '../../engine/api/questions.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'

/** A tool of the OpenAI Agents SDK that declares what a person must decide before it runs. */
export interface AgentToolDefinition<Input, Before> {
  name: string
  description: string
  /** An object schema. */
  parameters: z.ZodType<Input>
  /** Asks for an approval before `execute`, unless it returns nothing. The `args` of the question are the input. */
  approve?: (
    input: Input,
  ) => ApproveOptions<Input> | false | undefined | Promise<ApproveOptions<Input> | false | undefined>
  /** Asks for what else the tool needs: forms, accounts. It may run more than once, so it must only ask. */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
  /** `before` is what the function of that name returned. */
  execute: (input: Input, ctx: ToolContext & { readonly before: Before }) => unknown
}

export type AnyDefinition = AgentToolDefinition<unknown, unknown>

/** Where a tool carries its definition. Registered, so that two copies of this module find it. */
const DEFINITION = Symbol.for('holdpoint.agentTool')

/**
 * Creates a tool of the OpenAI Agents SDK that asks people. Pass it to `hp.tools([…])`; without that it refuses to run.
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
      throw unwrapped(name)
    },
  })
  return Object.assign(made, { [DEFINITION]: definition }) as unknown as FunctionTool<unknown, never, unknown>
}

export function definitionOf(found: object): AnyDefinition | undefined {
  return DEFINITION in found ? (found[DEFINITION] as AnyDefinition) : undefined
}

function unwrapped(name: string): HoldpointError {
  return new HoldpointError(
    'tool_not_wrapped',
    `${name} was made with agentTool and called without a Holdpoint. Pass tools: hp.tools([…]) to the Agent, where hp = openAiAgents(holdpoint, { … }).`,
  )
}
