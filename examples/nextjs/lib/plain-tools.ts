import { tool } from 'ai'
import { z } from 'zod'

/** The tool of the plain chat. Its Holdpoint twin is tools/delete-files.ts. */
export const tools = {
  delete_files: tool({
    title: 'Delete files',
    description: 'Deletes files of the workspace.',
    inputSchema: z.object({ files: z.array(z.string()).min(1) }),
    execute: async ({ files }) => ({ deleted: files }),
  }),
}
