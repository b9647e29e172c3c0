import { z } from 'zod'
import type { BridgeCall, BridgeTool, Files } from './driver.ts'

/** One execution of a tool of the suite. */
export interface Ran {
  tool: string
  files: readonly string[]
}

const input = z.object({ files: z.array(z.string()) })
const deleted = ({ files }: Files) => ({ deleted: files.length })

/** The tools of the suite. `record` receives each execution; `hold` keeps the slow tool running. */
export function bridgeTools(record: (ran: Ran) => void, hold: () => Promise<void> = async () => {}): BridgeTool[] {
  const ran = (tool: string, { files }: Files) => record({ tool, files })
  return [
    {
      name: 'delete_files',
      description: 'Deletes files',
      input,
      approve: ({ files }) => ({
        prompt: `Delete ${files.join(', ')}?`,
        editable: true,
        policy: (args) => !args.files.includes('/') || 'The root cannot be deleted.',
      }),
      async execute(given) {
        ran('delete_files', given)
        return deleted(given)
      },
    },
    {
      name: 'slow_delete',
      description: 'Deletes files, slowly',
      input,
      approve: ({ files }) => ({ prompt: `Delete ${files.join(', ')}?` }),
      async execute(given, ctx) {
        await ctx.once('delete', () => ran('slow_delete', given))
        await hold()
        return deleted(given)
      },
    },
    {
      name: 'archive_files',
      description: 'Moves files to a folder that the user names',
      input,
      approve: ({ files }) => ({ prompt: `Archive ${files.join(', ')}?` }),
      before: (_given, ctx) =>
        ctx.ask({
          prompt: 'To which folder?',
          fields: [{ id: 'folder', label: 'Folder', type: 'text', required: true }],
        }),
      async execute(given, _ctx, before) {
        ran('archive_files', given)
        return before
      },
    },
    {
      name: 'unlock_files',
      description: 'Opens files with a password',
      input,
      before: (_given, ctx) =>
        ctx.ask({
          prompt: 'The password?',
          fields: [{ id: 'password', label: 'Password', type: 'secret', required: true }],
        }),
      async execute(given, ctx, before) {
        const opened = await ctx.secret((before as { password: string }).password)
        ran('unlock_files', given)
        return { characters: opened.length }
      },
    },
    {
      name: 'share_files',
      description: 'Posts files to a channel',
      input,
      before: (_given, ctx) => ctx.connect({ integrations: ['slack'], reason: 'to post the files' }),
      async execute(given, _ctx, before) {
        const { slack } = before as { slack: { token(): Promise<string> } }
        ran('share_files', given)
        return { token: typeof (await slack.token()) }
      },
    },
  ]
}

/** A call of a tool of the suite. */
export const callOf = (toolName = 'delete_files', toolCallId = 'call-1', files = ['a.txt']): BridgeCall => ({
  toolCallId,
  toolName,
  input: { files },
})
