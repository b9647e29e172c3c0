import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { durableCall } from '@holdpoint/server/mcp-host'
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'

export const CALL = { runId: 'run-1', toolCallId: 'call-1' }
export const INPUT = { files: ['a.txt'] }
export const OWNER = { userId: 'ada' }

/** An app whose tool calls the tool of another program. */
export function mover(store: NonNullable<HoldpointOptions['store']>, client: Client) {
  const holdpoint = createHoldpoint({ store, timing: { leaseMs: 300, orphanAfterMs: 3_600_000, presenceGraceMs: 30 } })
  const opened: string[] = []
  const tool = holdpoint.tool({
    name: 'move_files',
    input: z.object({ files: z.array(z.string()) }),
    execute: async (input, ctx) => {
      const { content } = await durableCall(
        ctx,
        client,
        { name: 'move_files', arguments: input },
        {
          server: { name: 'Files' },
          onOpenPage: ({ url }) => void opened.push(url),
        },
      )
      return JSON.stringify(content)
    },
  })
  const session = holdpoint.session('chat', OWNER)
  return { holdpoint, session, opened, move: () => session.runTool(tool, INPUT, CALL) }
}
