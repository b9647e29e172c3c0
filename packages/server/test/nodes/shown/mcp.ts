import type { Holdpoint } from '@holdpoint/server'
import { mcpTool } from '@holdpoint/server/mcp'
import type { ElicitResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { bridge, connected } from '../../bridges/mcp/support.ts'
import { parsed } from '../../bridges/mcp/tools.ts'
import { type Args, optionsOf } from './life.ts'
import { asRead, type SurfaceKind, tab } from './surface.ts'

interface Dialog {
  message: string
  answer(result: ElicitResult): void
}

const YES: ElicitResult = { action: 'accept', content: { decision: 'once' } }

/** The dialog of an MCP client: what counts as shown is the message, and the tool of the server runs with the result. */
export const mcpDialog = (holdpoint: Holdpoint): SurfaceKind => {
  const pay = mcpTool({
    // Values that a person edits have no key.
    inputSchema: z.object({ amount: z.number(), key: z.enum(['all', 'coarse']).optional() }),
    approve: ({ amount, key = 'all' }) => optionsOf({ amount, key, diff: false }) as never,
    execute: (args) => ({ ran: args }),
  })
  const tools = bridge(holdpoint, { pay }, { session: ({ userId }) => userId })
  return {
    showsDiffs: false,
    async open(userId) {
      const asked = tab(holdpoint, userId)
      const { client, close } = await connected(tools, userId, { capabilities: { elicitation: { form: {} } } })
      const dialogs: Dialog[] = []
      let opened = () => {}
      client.setRequestHandler('elicitation/create', ({ params }) => {
        return new Promise<ElicitResult>((answer) => {
          dialogs.push({ message: params.message, answer })
          opened()
        })
      })
      return {
        hidesDrafts: true,
        can: ({ edits, rejects, stale }) => !edits && !rejects && !stale,
        async begin({ amount, key }) {
          const result = await client.callTool({ name: 'pay', arguments: { amount, key } })
          return { outcome: 'approved', args: (parsed(result) as { ran: Args }).ran }
        },
        async shows(not) {
          const request = await asked.shows(not)
          while (dialogs.length === 0) {
            await new Promise<void>((done) => {
              opened = done
            })
          }
          const json = /\{[^}]*\}/.exec(dialogs[0]?.message ?? '')?.[0] ?? ''
          return asRead(request, { args: JSON.parse(json), change: undefined })
        },
        async press(_shown, { approvalScope }) {
          dialogs.shift()?.answer({ action: 'accept', content: { decision: approvalScope } })
          return 'accepted'
        },
        // The dialog does not close by itself, so its late yes arrives. It must count for nothing.
        answeredElsewhere: () => dialogs.shift()?.answer(YES),
        close,
      }
    },
  }
}
