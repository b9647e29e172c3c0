import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

const inputSchema = z.object({ files: z.array(z.string()).min(1) })

/** Approval with scopes; what will be deleted can be edited before saying yes. */
export const deleteFiles = holdpointTool({
  title: 'Delete files',
  description: 'Deletes files of the workspace.',
  inputSchema,
  approve: ({ files }) => ({
    prompt: files.length === 1 ? `Delete ${files[0]}?` : `Delete ${files.length} files?`,
    labels: { approve: files.length === 1 ? 'Delete file' : `Delete ${files.length} files`, deny: 'Keep files' },
    scopes: ['once', 'session', 'always'],
    risk: 'medium',
    facts: [{ label: 'Cannot be undone', tone: 'danger' }],
    editable: true,
  }),
  execute: async ({ files }, ctx) => {
    for (const file of files) ctx.log(`deleted ${file}`)
    return { deleted: files }
  },
})
