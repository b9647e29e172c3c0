import { InteractionRefused } from '../../engine/api/interaction-refused.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { outputOf } from '../handlers/tool-not-run.ts'
import type { McpToolDefinition } from './mcp-tool.ts'
import type { ToolResult } from './sdk.ts'

type Shape = Pick<McpToolDefinition<unknown>, 'outputSchema'>

/** Converts what a tool returned, or why it did not run, to the result of `tools/call`. */
export function resultOf(value: unknown, { outputSchema }: Shape): ToolResult {
  // An error result, so that the model knows that the tool did not run.
  if (value instanceof InteractionRefused) return errorResult(textOf(outputOf(value)))
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const structured = outputSchema && isObject ? { structuredContent: value as Record<string, unknown> } : {}
  return { content: [{ type: 'text', text: textOf(value) }], ...structured }
}

/** Returns a result that informs the model where the user can answer, and how to continue the call. */
export function waitingResult(
  { interactionId, expiresAt }: InteractionRecord,
  url: string,
  { outputSchema }: Shape,
  why?: string,
): ToolResult {
  const text = [
    ...(why === undefined ? [] : [why]),
    `Nothing was done yet. The user must answer first, on this page: ${url}`,
    `Give the user this address. When the user has answered, call the tool again with the same arguments. The question expires at ${expiresAt.toISOString()}.`,
  ].join('\n')
  const waiting = { interactionId, url, expiresAt: expiresAt.toISOString() }
  return {
    content: [{ type: 'text', text }],
    _meta: { 'holdpoint/waiting': waiting },
    // A tool with an output schema may return other content only as an error.
    ...(outputSchema && { isError: true }),
  }
}

/** Returns a result with the reason why the tool did not run. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'Done.'))
