import assert from 'node:assert/strict'
import { createHoldpointClient, websocket } from '@holdpoint/core'
import { WebSocket } from 'ws'

await import('./websocket-server.ts')
const at = `http://127.0.0.1:${process.env.PORT}`
/** Sends an Origin, as a browser does. */
class FromPage extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols, { origin: at })
  }
}
const transport = websocket({ url: `${at}/holdpoint`, WebSocket: FromPage as never })
const client = createHoldpointClient({ sessionId: 'chat-1', transport })
await new Promise<void>((open) => {
  client.subscribe(() => client.getSnapshot().connection.status === 'open' && open())
})
assert.equal((await fetch(`${at}/holdpoint/inbox`)).status, 200)
process.exit()
