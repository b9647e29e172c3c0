import type { ApproveOptions, ToolContext } from '@holdpoint/server'
import { z } from 'zod'
import type { QuestionName } from './names.ts'

export const input = z.object({ files: z.array(z.string()) })

export type Files = z.infer<typeof input>

/** One tool, written down once. Each bridge makes a tool of its framework from it. */
export interface SharedTool {
  description: string
  approve?: (given: Files) => ApproveOptions<Files>
  before?: (given: Files, ctx: ToolContext) => Promise<Record<string, unknown>>
  /** `answer` is what `before` returned. */
  run(given: Files, answer: Record<string, unknown> | undefined): string
}

export const tools: Record<QuestionName, SharedTool> = {
  delete_files: {
    description: 'Deletes files.',
    approve: ({ files }) => ({ prompt: `Delete ${files.length} files?`, editable: true, scopes: ['once'] }),
    run: ({ files }) => `${files.length} files deleted`,
  },
  archive_files: {
    description: 'Moves files to a folder that the user names.',
    before: (_given, ctx) =>
      ctx.ask({
        prompt: 'Where do the old drafts go?',
        fields: [{ id: 'folder', label: 'Folder', type: 'text', required: true, maxLength: 40 }],
      }),
    run: (_given, answer) => `moved to ${answer?.folder}`,
  },
  tag_files: {
    description: 'Tags files.',
    before: (_given, ctx) =>
      ctx.ask({
        prompt: 'Which tag do the files get?',
        fields: [
          {
            id: 'tag',
            label: 'Tag',
            type: 'radio',
            required: true,
            options: [
              { value: 'draft', label: 'Draft' },
              { value: 'final', label: 'Final' },
            ],
          },
        ],
      }),
    run: (_given, answer) => `tagged ${answer?.tag}`,
  },
}

/** The calls that the model of each framework makes. */
export const calls = (Object.keys(tools) as QuestionName[]).map((name) => ({
  name,
  args: { files: ['drafts/a.md', 'drafts/b.md', 'drafts/c.md'] },
}))
