import { ask, connectAll, startClients, startServer, stop } from './processes.ts'

/** What an idle connection costs, and what one costs that never reads. Resident memory, after a compacting collection. */
const FIRST = 2_000
const MORE = 6_000
const CHUNK = 100_000
const SENT_MB = 200
const AT_ONCE = 5

const memoryOf = (server: Awaited<ReturnType<typeof startServer>>) =>
  ask<number>(server.child, { memory: true }, 'memory')
const rest = (ms = 500) => new Promise((resolve) => setTimeout(resolve, ms))

/** KiB for each of the last `MORE` connections: what a process needs once is not counted. */
async function idle(name: string): Promise<number> {
  const clients = startClients()
  const server = await startServer(name)
  await connectAll(clients, { port: server.port, count: FIRST, request: server.request })
  await rest()
  const before = await memoryOf(server)
  await connectAll(clients, { port: server.port, count: MORE, request: server.request })
  await rest()
  const after = await memoryOf(server)
  await stop(server, clients)
  clients.kill()
  return (after - before) / MORE / 1024
}

/** MB that a server grows by while it sends to somebody who never reads, and to somebody who does. */
async function stalled(name: string): Promise<{ peak: number; sent: number }> {
  const clients = startClients()
  const reader = startClients()
  const server = await startServer(name)
  await connectAll(reader, { port: server.port, count: 1, request: server.request })
  const events = Math.round((SENT_MB * 1e6) / CHUNK)
  // As much at a time as nobody who reads can be called slow for.
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += AT_ONCE) {
      const done = ask(reader, { expect: AT_ONCE }, 'done')
      server.child.send({ emit: { events: AT_ONCE, size: CHUNK, gapMs: 0 } })
      await done
    }
  }
  await send(100)
  await rest()
  const before = await memoryOf(server)
  await connectAll(clients, { port: server.port, count: 1, request: server.request, stalled: true })
  await rest()
  let peak = before
  for (let sent = 0; sent < events; sent += 200) {
    await send(200)
    peak = Math.max(peak, await memoryOf(server))
  }
  await stop(server, clients)
  clients.kill()
  reader.kill()
  return { peak: (peak - before) / 1e6, sent: SENT_MB }
}

const idleRows = []
for (const name of ['holdpoint', 'node:http', 'ws', 'better-sse', 'hono']) {
  idleRows.push({
    name,
    'KiB a connection': Number((await idle(name)).toFixed(1)),
    target: name === 'holdpoint' ? 15 : '',
  })
}
console.log(`idle memory: ${MORE} connections beyond the first ${FIRST}`)
console.table(idleRows)

const stalledRows = []
for (const name of ['holdpoint', 'node:http', 'ws', 'better-sse', 'hono']) {
  const { peak } = await stalled(name)
  stalledRows.push({ name, 'MB more at its peak': Number(peak.toFixed(0)), target: name === 'holdpoint' ? 20 : '' })
}
console.log(`a client that never reads, while ${SENT_MB} MB are sent to it`)
console.table(stalledRows)
console.log(JSON.stringify({ bench: 'memory', idle: idleRows, stalled: stalledRows }))
