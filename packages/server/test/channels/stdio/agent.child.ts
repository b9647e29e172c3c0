import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { attachStdio } from '@holdpoint/server/stdio'

/** An agent that another program started: it asks on its standard output and receives answers on its standard input. */
const ada = { userId: 'ada' }
const holdpoint = createHoldpoint({ store: memoryStore() })
attachStdio({ input: process.stdin, output: process.stdout }, holdpoint, { principal: ada })
const ctx = holdpoint.session('chat', ada).toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'send_mail' })
const { args, scope } = await ctx.approve({ prompt: 'Send 2 letters?', args: { letters: 2 } })
const { email } = await ctx.ask({ prompt: 'Where to?', fields: [{ id: 'email', type: 'email', label: 'E-mail' }] })
process.stderr.write(`${JSON.stringify({ args, scope, email })}\n`)
await holdpoint.close()
process.exit()
