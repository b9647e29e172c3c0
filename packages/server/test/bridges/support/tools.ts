import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** A tool that deletes, and remembers what it did. */
export function deleting() {
  const deleted: string[][] = []
  const deleteFiles = holdpointTool({
    description: 'Deletes files',
    inputSchema: z.object({ files: z.array(z.string()) }),
    approve: ({ files }) => ({
      prompt: `Delete ${files.join(', ')}?`,
      scopes: ['once', 'session', 'always'],
      editable: true,
      policy: (args) => !args.files.includes('/') || 'Never the root.',
    }),
    execute: async ({ files }) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      deleted.push(files)
      return { deleted: files.length }
    },
  })
  return { deleted, tools: { deleteFiles } }
}

export const DELETE = { name: 'deleteFiles', input: { files: ['a.txt'] } }
