import { createHoldpoint, InteractionRefused } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { z } from 'zod'

const holdpoint = createHoldpoint({
  store: sqliteStore({ path: './data.db' }),
  authenticate: () => ({ userId: 'ada' }),
})
const ada = testHuman(holdpoint, { userId: 'ada' })
const remove = holdpoint.tool({
  name: 'remove',
  input: z.object({ file: z.string() }),
  execute: async ({ file }, ctx) => {
    await ctx.approve({ prompt: `Delete ${file}?` })
    return `${file} is gone`
  },
})
const session = holdpoint.session('chat', { userId: 'ada' })
const done = session.runTool(remove, { file: 'a.txt' }, { runId: 'run', toolCallId: 'call-1' })
await ada.approve(await ada.next({ toolName: 'remove' }))
console.log((await done).result)

const kept = session.runTool(remove, { file: 'b.txt' }, { runId: 'run', toolCallId: 'call-2' })
kept.catch((error) => console.log(error instanceof InteractionRefused, error.outcome))
await ada.deny(await ada.next({ toolName: 'remove' }))
await kept.catch(() => {})
await holdpoint.close()
