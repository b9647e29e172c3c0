import type { AddressInfo } from 'node:net'
import { createHoldpoint } from '@holdpoint/server'
import { toExpressHandler } from '@holdpoint/server/express'
import { memoryStore } from '@holdpoint/server/memory'
import express from 'express'

const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
const app = express()
app.use(express.json())
app.use('/holdpoint', toExpressHandler(holdpoint))
app.post('/ask', async (_request, response) => {
  const ctx = holdpoint
    .session('chat', { userId: 'ada' })
    .toolCall({ runId: 'run', toolCallId: 'call', toolName: 'remove' })
  const { outcome } = await ctx.tryApprove({ prompt: 'Delete it?' })
  response.json({ outcome })
})
const server = app.listen(0, () => console.log(`listening on ${(server.address() as AddressInfo).port}`))
