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
  /**
   * Returns the approval to ask for before `execute`, or nothing if none is needed. The `args` of the question are the
   * input.
   */
  approve?: (
    input: Input,
  ) => ApproveOptions<Input> | false | undefined | Promise<ApproveOptions<Input> | false | undefined>
  /** Asks for forms and accounts that the tool needs. It may run more than once, so it must have no other effects. */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
  /** Runs the tool. `ctx.before` is the result of `before`. */
  execute: (input: Input, ctx: ToolContext & { readonly before: Before }) => unknown
}

export type AnyDefinition = AgentToolDefinition<unknown, unknown>

/** The property of a tool with its definition. `Symbol.for`, so that two copies of this module find it. */
const DEFINITION = Symbol.for('holdpoint.agentTool')

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
