import type { ApproveOptions, ToolContext } from '@holdpoint/server'
import { z } from 'zod'
import type { CostTool } from './cost-node.ts'

/** Where the tool asks: in `execute`, the code before the question runs under a claim of its own. */
export type Asks = 'before execute' | 'in execute'

/** A tool that asks whether it may delete three files. */
export function deleting(
  asks: Asks,
  options: Pick<ApproveOptions<unknown>, 'rememberAs' | 'scopes'> = {},
): CostTool<{ paths: string[] }> {
  const ask = async ({ paths }: { paths: string[] }, ctx: ToolContext) => {
    await ctx.approve({ prompt: `Delete ${paths.length} files?`, ...options })
  }
  return {
    input: { paths: ['a', 'b', 'c'] },
    tool: (holdpoint) =>
      holdpoint.tool({
        name: 'delete_files',
        input: z.object({ paths: z.array(z.string()) }),
        ...(asks === 'before execute' && { before: ask }),
        async execute(input, ctx) {
          if (asks === 'in execute') await ask(input, ctx)
          return { deleted: input.paths.length }
        },
      }),
  }
}
