import { HoldpointError } from '@holdpoint/core'
import type { ApproveOptions } from '../../engine/api/questions.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'

/** The questions that a tool of a framework declares. */
export interface AskingTool<Input, Before> {
  /**
   * Returns the approval to ask for before `execute`, or nothing if none is needed. The `args` of the question default to
   * the input.
   */
  approve?: (
    input: Input,
  ) => ApproveOptions<Input> | false | undefined | Promise<ApproveOptions<Input> | false | undefined>
  /** Asks for forms and accounts that the tool needs. It may run more than once, so it must have no other effects. */
  before?: (input: Input, ctx: ToolContext) => Before | Promise<Before>
}

/** Attaches definitions to the tools of one framework, and finds them again. */
export function definitions<Definition extends object>(framework: string) {
  // `Symbol.for`, so that two copies of this module find the same property.
  const key = Symbol.for(`holdpoint.${framework}`)
  return {
    attach: <T extends object>(tool: T, definition: Definition): T => Object.assign(tool, { [key]: definition }),
    find: (tool: object | undefined): Definition | undefined => (tool as Record<symbol, Definition> | undefined)?.[key],
  }
}

/** The error of a tool that its framework runs without the bridge. */
export function toolNotWrapped(tool: string, maker: string, remedy: string): HoldpointError {
  return new HoldpointError(
    'tool_not_wrapped',
    `${tool} was made with ${maker} and called without a Holdpoint. ${remedy}`,
  )
}

/** Returns the id that the model gave a call. */
export function callIdOf(id: string | undefined, toolName: string): string {
  if (id) return id
  throw new HoldpointError(
    'invalid_request',
    `The model called ${toolName} without a tool call id. Holdpoint finds the answer of a call by its id.`,
  )
}
