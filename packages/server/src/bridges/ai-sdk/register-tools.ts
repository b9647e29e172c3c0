import type { ToolSet } from 'ai'
import type { Holdpoint } from '../../holdpoint.ts'
import { guardedTool, settle } from './guarded-tool.ts'

/**
 * Lets tools go on after a crash: `holdpoint.recover()` then runs their unfinished calls again in the new process,
 * nothing that was answered is asked again, and each result leaves through `onToolResult`. The messages of the request
 * are gone by then: such a run gets none.
 *
 * @example
 * registerTools(holdpoint, { deleteFiles })
 * await holdpoint.recover()
 */
export function registerTools(holdpoint: Pick<Holdpoint, 'tool'>, tools: ToolSet): void {
  for (const [name, tool] of Object.entries(tools)) {
    const guarded = guardedTool(name, tool)
    if (!guarded) continue
    holdpoint.tool({
      name,
      // What is stored was the input of a call that had begun: it was checked then.
      input: { safeParseAsync: async (data) => ({ success: true, data }) },
      async execute(input: unknown, ctx) {
        const ai = { toolCallId: ctx.toolCallId, messages: [], context: undefined, abortSignal: ctx.signal }
        const { args, before } = await settle(guarded, input, ctx, ai)
        return await guarded.execute(args, ctx, before, ai)
      },
    })
  }
}
