import { ask, compileRawWrite, connectAll, startClients, startRawWrite, startServer, stop } from './processes.ts'

/**
 * One event to 1,000 clients: the server's CPU time for each delivery, next to that of a C program that does nothing
 * but write() the same bytes to the same number of sockets. Holdpoint's events are in SQLite (FULL) before they leave;
 * nobody else's are anywhere. Rounds are interleaved, and the best of each counts: noise only adds.
 */
const CLIENTS = 1_000
const EVENTS = 80
const SIZE = 200
/** Long enough that everything has been read before the next event: a reader that is awake costs its writer less. */
const GAP_MS = 25
const ROUNDS = 5
const TARGETS: Record<string, number> = { holdpoint: 1.7, 'holdpoint, coalescing': 0.3 }
/** Bytes that the envelope adds to an event's text; the physical limit writes as many. */
const ENVELOPE = 130

const peers = ['node:http', 'ws', 'socket.io', 'better-sse', 'hono', 'tRPC']
const clients = startClients()
const program = compileRawWrite()

async function rawCost(): Promise<number> {
  if (!program) return Number.NaN
  const raw = await startRawWrite(program, CLIENTS, SIZE + ENVELOPE)
  await connectAll(clients, { port: raw.port, count: CLIENTS, request: ['raw'] })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await raw.emit(20, GAP_MS * 1000)
  const cpu = await raw.emit(EVENTS, GAP_MS * 1000)
  raw.child.kill()
  await ask(clients, { close: true }, 'closed')
  return cpu / (CLIENTS * EVENTS)
}

async function costOf(name: string): Promise<number> {
  const server = await startServer(name)
  await connectAll(clients, { port: server.port, count: CLIENTS, request: server.request })
  const burst = name.includes('coalescing') ? 20 : 1
  const phase = async (events: number) => {
    const before = await ask<number>(server.child, { cpu: true }, 'cpu')
    const done = ask(clients, { expect: CLIENTS * events }, 'done')
    server.child.send({ emit: { events, size: SIZE, gapMs: GAP_MS, burst } })
    await done
    return ((await ask<number>(server.child, { cpu: true }, 'cpu')) - before) / (CLIENTS * events)
  }
  await phase(40)
  const cost = await phase(burst === 1 ? EVENTS : EVENTS * 10)
  await stop(server, clients)
  return cost
}

const names = ['raw write()', ...Object.keys(TARGETS), ...peers]
const best = new Map(names.map((name) => [name, Number.POSITIVE_INFINITY]))
const ratios = new Map<string, number[]>(names.map((name) => [name, []]))
for (let round = 0; round < ROUNDS; round++) {
  let raw = Number.NaN
  for (const name of names) {
    const cost = name === 'raw write()' ? await rawCost() : await costOf(name)
    if (name === 'raw write()') raw = cost
    best.set(name, Math.min(best.get(name) ?? cost, cost))
    ratios.get(name)?.push(cost / raw)
  }
}
clients.kill()

const limit = best.get('raw write()') ?? Number.NaN
const rows = names.map((name) => ({
  name,
  'µs a delivery': Number((best.get(name) ?? 0).toFixed(2)),
  'of raw write()': Number(((best.get(name) ?? 0) / limit).toFixed(2)),
  target: TARGETS[name] ?? '',
}))
console.log(`1 event → ${CLIENTS} clients, ${SIZE} bytes of text; best of ${ROUNDS} interleaved rounds`)
if (!program) console.log('no C compiler was found (cc): the ratio to a raw write() is missing')
console.table(rows)
console.log(JSON.stringify({ bench: 'fanout', clients: CLIENTS, rows, ratios: Object.fromEntries(ratios) }))
