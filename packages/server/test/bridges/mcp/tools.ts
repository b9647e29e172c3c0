import type { Holdpoint } from '@holdpoint/server'
import { mcpTool } from '@holdpoint/server/mcp'
import { testHuman } from '@holdpoint/server/testing'
import { z } from 'zod'
import type { McpToolsOptions } from '../../../src/bridges/mcp/mcp-tools.ts'
import { ADA, open } from '../../engine/support/world.ts'

/** The tools of a file server, with every kind of question. */
export function fileTools() {
  const ran: unknown[] = []
  const files = z.object({ files: z.array(z.string()) })
  const run = (name: string) => (given: unknown) => {
    ran.push([name, given])
    return { done: name }
  }
  const tools: McpToolsOptions['tools'] = {
    delete_files: mcpTool({
      inputSchema: files,
      approve: (given) => ({
        prompt: `Delete ${given.files.join(', ')}?`,
        scopes: ['once', 'session'],
        facts: [{ label: 'Cannot be undone', tone: 'danger' }],
      }),
      execute: run('delete_files'),
    }),
    wipe_disk: mcpTool({
      inputSchema: z.object({}),
      approve: () => ({ prompt: 'Wipe the disk?', risk: 'high' }),
      execute: run('wipe_disk'),
    }),
    send_mail: mcpTool({
      inputSchema: z.object({ text: z.string() }),
      before: (_given, ctx) =>
        ctx.ask({
          prompt: 'Where to?',
          fields: [
            { id: 'to', label: 'To', type: 'email', required: true, pattern: '@example\\.com$' },
            { id: 'sure', label: 'I am sure', type: 'checkbox', const: true, required: true },
          ],
        }),
      execute: (_given, ctx) => run('send_mail')(ctx.before),
    }),
    sign_in: mcpTool({
      inputSchema: z.object({}),
      before: (_given, ctx) =>
        ctx.ask({ fields: [{ id: 'password', label: 'Password', type: 'secret', required: true }] }),
      execute: run('sign_in'),
    }),
    plain: mcpTool({ inputSchema: z.object({}), execute: run('plain') }),
  }
  return { ran, tools }
}

export const DELETE = { name: 'delete_files', arguments: { files: ['a.txt'] } }

export interface Content {
  content: { type: string; text: string }[]
  isError?: boolean
  _meta?: { 'holdpoint/waiting'?: { url: string; interactionId: string } }
}
export const textOf = (result: unknown): string => (result as Content).content[0]?.text ?? ''
export const parsed = (result: unknown): unknown => JSON.parse(textOf(result))

export function world(holdpoint: Holdpoint = open(VAULT)) {
  return { holdpoint, human: testHuman(holdpoint, ADA), ...fileTools() }
}
const VAULT = { security: { vaultKeys: [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }] } }
