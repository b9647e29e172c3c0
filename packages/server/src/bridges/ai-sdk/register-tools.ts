import type { ToolSet } from 'ai'
import type { Holdpoint } from '../../holdpoint.ts'
import { asTool, guardedTool } from './guarded-tool.ts'

/**
 * Registers tools so that they resume after a crash. `holdpoint.recover()` then runs their unfinished calls again in
 * the new process, finds the recorded answers, and delivers each result through `onToolResult`. The messages of the
 * request are lost by then, so such a run receives an empty list.
 *
 * @example
 * registerTools(holdpoint, { deleteFiles })
 * await holdpoint.recover()
 */
export function registerTools(holdpoint: Pick<Holdpoint, 'tool'>, tools: ToolSet): void {
  for (const [name, tool] of Object.entries(tools)) {
    const guarded = guardedTool(name, tool)
    if (!guarded) continue
    holdpoint.tool(asTool(guarded, ({ toolCallId }) => ({ toolCallId, messages: [], context: undefined })))
  }
}
