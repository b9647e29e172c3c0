import { report, versionOf } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, spread } from '../support/statistics.ts'
import { ask, connectAll, startClients, startServer, stop } from './processes.ts'

/** The cost of an idle connection, and of one that never reads. Resident memory, after a compacting collection. */
const FIRST = 2_000
const MORE = 6_000
const CHUNK = 100_000
const SENT_MB = 200
const AT_ONCE = 5
const ROUNDS = process.argv.includes('--quick') ? 1 : 3

const memoryOf = (server: Awaited<ReturnType<typeof startServer>>) =>
  ask<number>(server.child, { memory: true }, 'memory')
const rest = (ms = 500) => new Promise((resolve) => setTimeout(resolve, ms))

/** KiB for each of the last `MORE` connections: what a process needs once is not counted. */
async function idle(name: string): Promise<number> {
  const clients = startClients()
  const server = await startServer(name)
  await connectAll(clients, { port: server.port, count: FIRST, atOnce: 250, request: server.request })
  await rest()
  const before = await memoryOf(server)
  await connectAll(clients, { port: server.port, count: MORE, atOnce: 250, request: server.request })
  await rest()
  const after = await memoryOf(server)
  await stop(server, clients)
  clients.kill()
  return (after - before) / MORE / 1024
}

/** Returns the MB that a server grows by while it sends to a client that never reads and to one that reads. */
async function stalled(name: string): Promise<number> {
  const clients = startClients()
  const reader = startClients()
  const server = await startServer(name)
  await connectAll(reader, { port: server.port, count: 1, request: server.request })
  const events = Math.round((SENT_MB * 1e6) / CHUNK)
  // As much at a time as a reading client can receive without counting as slow.
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
  return (peak - before) / 1e6
}

const peers: Record<string, string> = {
  'node:http': process.version,
  ws: versionOf('ws'),
  'better-sse': versionOf('better-sse'),
  hono: versionOf('hono'),
}
const names = ['holdpoint', ...Object.keys(peers)]
const each = (measure: (name: string) => Promise<number>) =>
  rounds(ROUNDS, Object.fromEntries(names.map((name) => [name, () => measure(name)])))
const taken = { idle: await each(idle), stalled: await each(stalled) }

const compared = (lists: Record<string, number[]>) => {
  const of = (name: string) => lists[name] ?? []
  return {
    better: 'lower' as const,
    value: median(of('holdpoint')),
    spread: spread(of('holdpoint')),
    peers: Object.entries(peers).map(([name, version]) => ({ name, version, value: median(of(name)) })),
  }
}
const table = (lists: Record<string, number[]>) =>
  names.map((name) => ({
    name,
    median: digits(median(lists[name] ?? [])),
    'in rounds': lists[name]?.map(digits).join(' '),
  }))
report({
  about: `${ROUNDS} interleaved rounds, each with new processes; resident memory after a compacting collection`,
  results: [
    {
      ...compared(taken.idle),
      id: 'idle',
      scenario: 'a client that is connected and waits',
      figure: `memory, of ${MORE.toLocaleString('en-US')} beyond the first ${FIRST.toLocaleString('en-US')}`,
      unit: 'KiB',
      target: 12,
    },
    {
      ...compared(taken.stalled),
      id: 'stalled',
      scenario: `a client that stopped reading, while ${SENT_MB} MB are sent to it`,
      figure: 'memory at its peak',
      unit: 'MB',
      target: 20,
    },
  ],
  rows: { 'KiB a connection': table(taken.idle), 'MB more at its peak': table(taken.stalled) },
})
