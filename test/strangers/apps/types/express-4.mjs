import { createRequire } from 'node:module'
import { createHoldpoint } from '@holdpoint/server'
import { toExpressHandler } from '@holdpoint/server/express'
import { memoryStore } from '@holdpoint/server/memory'
import express from 'express'

const { version } = createRequire(import.meta.url)('express/package.json')
const holdpoint = createHoldpoint({ store: memoryStore(), authenticate: () => ({ userId: 'ada' }) })
const server = express()
  .use(express.json())
  .use('/holdpoint', toExpressHandler(holdpoint))
  .listen(0, '127.0.0.1', async () => {
    const inbox = await fetch(`http://127.0.0.1:${server.address().port}/holdpoint/inbox`)
    console.log(version[0], inbox.status, await inbox.text())
    server.close()
    await holdpoint.close()
  })
