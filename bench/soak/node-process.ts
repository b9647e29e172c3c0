import { createServer } from 'node:http'
import { createHoldpoint } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { postgresStore } from '@holdpoint/server/postgres'
import { redisStore } from '@holdpoint/server/redis'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { attachWebSocket } from '@holdpoint/server/ws'
import { engineOf } from '../support/engine.ts'
import { agentOn } from './agent.ts'
import { journalTo } from './journal.ts'
import type { NodeOrder, NodeSetup, Said } from './messages.ts'
import { answerOrders } from './orders.ts'
import { sample } from './sample.ts'

/** One server of the app: a Holdpoint on the shared store, behind HTTP, SSE and WebSocket. It may die at any moment. */
const setup: NodeSetup = JSON.parse(process.argv[2] ?? '{}')
const write = journalTo(setup.journal)
const note = ([what, ...rest]: readonly unknown[]) => write([what, setup.name, ...rest])

/** The effect of an NTP server or a sleeping laptop on a process. */
const realNow = Date.now
let offsetMs = 0
let sleptMs = 0
Date.now = () => realNow() + offsetMs

function openStore(): Store {
  const { place } = setup
  switch (place.kind) {
    case 'sqlite':
      return sqliteStore({ path: place.path, now: () => Date.now() })
    case 'postgres':
      return postgresStore({ connectionString: place.url, schema: place.schema })
    case 'redis':
      return redisStore({ url: place.url, prefix: place.prefix })
  }
}

const holdpoint = createHoldpoint({
  store: openStore(),
  name: setup.name,
  timing: { leaseMs: setup.leaseMs },
  // The one that counts delays never goes back, as that of a machine that slept.
  environment: { now: () => performance.now() + sleptMs },
  authenticate: (request) => {
    const userId = request.headers.get('authorization')?.replace('Bearer ', '')
    return userId ? { userId } : null
  },
  // Caches that are so small that they are full before memory is measured, and early limits for slow readers.
  http: {
    heartbeatMs: 1_000,
    cacheSize: 1024 * 1024,
    maxBuffered: 64 * 1024,
    rateLimit: { burst: 1_000, perSecond: 500 },
  },
  logger: {
    debug() {},
    info() {},
    warn: () => {},
    error: (message, facts) => note(['warned', message, `${facts?.code ?? '-'}`]),
  },
  hooks: {
    onToolResult: ({ toolCallId, deliveryId, result }) => note(['delivered', numberOf(toolCallId), deliveryId, result]),
    onFollowUp: ({ toolCallId, deliveryId, interactionId }) =>
      note(['follow-up', numberOf(toolCallId), deliveryId, interactionId]),
  },
})
const run = agentOn(holdpoint, note)
const numberOf = (toolCallId: string) => Number(toolCallId.replace('call-', ''))

const server = createServer(toNodeHandler(holdpoint))
attachWebSocket(server, holdpoint, { path: '/holdpoint/ws' })

async function carryOut(order: NodeOrder): Promise<unknown> {
  switch (order.type) {
    case 'run':
      return await run(order.task)
    case 'emit': {
      const { sessionId, userId, text, times } = order
      const session = holdpoint.session(sessionId, { userId })
      for (let time = 0; time < times; time++) {
        const marked = `${time} ${text}`
        await session.emit({ type: 'content', text: marked })
        note(['emitted', sessionId, marked.slice(0, 100)])
      }
      const engine = engineOf(holdpoint)
      const record = await engine.access({ userId }, sessionId, 'read')
      if (!record) throw new Error(`the session ${sessionId} is gone`)
      const last = { from: Number.MAX_SAFE_INTEGER, limit: 1 }
      return (await engine.store.readLog(engine.partition(record), last)).head
    }
    case 'clock':
      sleptMs += Math.max(0, order.offsetMs - offsetMs)
      offsetMs = order.offsetMs
      return
    case 'sample':
      return sample(server)
  }
}

// A tool whose node is closed under it is not this process's fault; what is, ends it loudly.
answerOrders<NodeOrder>(carryOut)
server.listen(setup.port, setup.host, async () => {
  await holdpoint.recover().catch(() => 0)
  process.send?.({ id: 0, value: true } satisfies Said)
})
