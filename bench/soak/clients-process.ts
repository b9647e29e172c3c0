import { connect } from 'node:net'
import { journalTo } from './journal.ts'
import type { ClientNote, ClientsOrder, Said } from './messages.ts'
import { answerOrders } from './orders.ts'
import { Person } from './person.ts'
import { sample } from './sample.ts'

/** All people of a soak, in one process that lives as long as it does. */
const PEOPLE = 3
const PATIENCE_MS = 60_000
const { journal, seed }: { journal: string; seed: number } = JSON.parse(process.argv[2] ?? '{}')
const note: (line: ClientNote) => void = journalTo(journal, { sync: false })
const sessions = new Map<string, Person[]>()
let urls: string[] = []

async function carryOut(order: ClientsOrder): Promise<unknown> {
  switch (order.type) {
    case 'nodes':
      urls = order.urls
      return
    case 'open': {
      const { sessionId, userId } = order
      const people = Array.from(
        { length: PEOPLE },
        (_, index) => new Person({ sessionId, userId, index, seed, urls, note }),
      )
      sessions.set(sessionId, people)
      return
    }
    case 'retire': {
      const people = sessions.get(order.sessionId) ?? []
      await Promise.all(people.map((person) => person.retire(order.head, PATIENCE_MS)))
      sessions.delete(order.sessionId)
      return
    }
    case 'stall':
      return await stall(order)
    case 'sample':
      return sample()
  }
}

/** Readers that ask for everything and take nothing. */
async function stall({ sessionId, userId, readers, ms }: Extract<ClientsOrder, { type: 'stall' }>): Promise<void> {
  const sockets = Array.from({ length: readers }, (_, n) => {
    const { hostname: host, port } = new URL(urls[n % urls.length] ?? '')
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => {})
    socket.pause()
    const head = [`GET /holdpoint/sessions/${sessionId}/events?client=stalled-${n} HTTP/1.1`, `host: ${host}`]
    socket.write(`${[...head, `authorization: Bearer ${userId}`].join('\r\n')}\r\n\r\n`)
    return socket
  })
  await new Promise((resolve) => setTimeout(resolve, ms))
  for (const socket of sockets) socket.destroy()
}

// Node's own fetch throws here when a server ends a connection that is read slowly. The request then receives nothing
// more, which a client must handle anyway.
process.on('uncaughtException', (error: Error & { code?: string }) => {
  if (error.code === 'ERR_ASSERTION' && error.stack?.includes('undici')) return
  console.error(error)
  process.exit(1)
})

answerOrders<ClientsOrder>(carryOut)
process.send?.({ id: 0, value: true } satisfies Said)
