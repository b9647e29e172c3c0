import { report, versionOf } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, ratios, spread } from '../support/statistics.ts'
import { ask, compileRawWrite, connectAll, startClients, startRawWrite, startServer, stop } from './processes.ts'

/**
 * One event to 1,000 clients: the server's CPU time for each delivery, next to that of a C program that does nothing
 * but write() the same bytes to the same number of sockets. Holdpoint's events are in SQLite (FULL) before they leave;
 * nobody else's are anywhere, so a second Holdpoint keeps them in memory. Others send fewer bytes (a ws frame 204, ours
 * some 330); filled up to as many they cost the same. Rounds are interleaved; each has a new process of everybody.
 * `--quick` has two of them.
 */
const CLIENTS = 1_000
const EVENTS = 80
const SIZE = 200
/** Long enough that everything has been read before the next event: a reader that is awake costs its writer less. */
const GAP_MS = 25
/**
 * Events that are not counted. What runs once for a delivery is compiled after the first of them; what runs once for
 * an event, as a commit does, is still interpreted after forty. Servers run for days.
 */
const WARM_UP = { events: 200, gapMs: 5 }
const ROUNDS = process.argv.includes('--quick') ? 2 : 5
/** Bytes that the envelope adds to an event's text; the physical limit writes as many. */
const ENVELOPE = 130

const peers: Record<string, string> = {
  'node:http': process.version,
  ws: versionOf('ws'),
  'socket.io': versionOf('socket.io'),
  'better-sse': versionOf('better-sse'),
  hono: versionOf('hono'),
  tRPC: versionOf('@trpc/server'),
  'durable-streams': versionOf('@durable-streams/server'),
}
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
  await connectAll(clients, { port: server.port, count: CLIENTS, atOnce: 250, request: server.request })
  const burst = name.includes('coalescing') ? 20 : 1
  const phase = async (events: number, gapMs = GAP_MS) => {
    const before = await ask<number>(server.child, { cpu: true }, 'cpu')
    const done = ask(clients, { expect: CLIENTS * events }, 'done')
    server.child.send({ emit: { events, size: SIZE, gapMs, burst } })
    await done
    return ((await ask<number>(server.child, { cpu: true }, 'cpu')) - before) / (CLIENTS * events)
  }
  await phase(WARM_UP.events, WARM_UP.gapMs)
  const cost = await phase(burst === 1 ? EVENTS : EVENTS * 10)
  await stop(server, clients)
  return cost
}

const names = ['holdpoint', 'holdpoint, in memory', 'holdpoint, coalescing', ...Object.keys(peers)]
const micros = await rounds(ROUNDS, {
  'raw write()': rawCost,
  ...Object.fromEntries(names.map((name) => [name, () => costOf(name)])),
} as Record<string, () => Promise<number>>)
clients.kill()
console.log('left out: durable-streams on disk, where a round would take minutes; see durable-streams-server.ts')
if (!program) console.log('no C compiler was found (cc): the ratio to a raw write() is missing')

const of = (name: string) => micros[name] ?? []
const toRaw = (name: string) => ratios(of(name), of('raw write()'))
const others = (value: (name: string) => number) =>
  Object.entries(peers).map(([name, version]) => ({ name, version, value: value(name) }))

const toAll = `1 event → ${CLIENTS.toLocaleString('en-US')} clients, ${SIZE} bytes of text`
const scenario = `${toAll}, on disk before it leaves (others: in memory)`
const coalesced = `20 events at once → ${CLIENTS.toLocaleString('en-US')} clients, within 5 ms in one piece, on disk before they leave`
const figure = 'CPU a delivery'
const results: Result[] = [
  {
    id: 'cpu',
    scenario,
    figure,
    unit: '× a bare write()',
    better: 'lower',
    value: median(toRaw('holdpoint')),
    spread: spread(toRaw('holdpoint')),
    target: 1.7,
    limit: { name: 'write() in C', value: 1 },
    peers: others((name) => median(toRaw(name))),
  },
  {
    id: 'cpu-micros',
    scenario,
    figure,
    unit: 'µs',
    better: 'lower',
    value: median(of('holdpoint')),
    spread: spread(of('holdpoint')),
    limit: { name: 'write() in C', value: median(of('raw write()')) },
    peers: others((name) => median(of(name))),
  },
  {
    id: 'cpu-in-memory',
    scenario: `${toAll}, in memory as with the others`,
    figure,
    unit: '× a bare write()',
    better: 'lower',
    value: median(toRaw('holdpoint, in memory')),
    spread: spread(toRaw('holdpoint, in memory')),
    limit: { name: 'write() in C', value: 1 },
    peers: others((name) => median(toRaw(name))),
  },
  {
    id: 'coalesced',
    scenario: coalesced,
    figure,
    unit: '× a bare write()',
    better: 'lower',
    value: median(toRaw('holdpoint, coalescing')),
    spread: spread(toRaw('holdpoint, coalescing')),
    target: 0.3,
    limit: { name: 'a write() for each', value: 1 },
  },
]
report({
  about: `${ROUNDS} interleaved rounds of ${EVENTS} events, each with new processes`,
  results,
  rows: {
    'µs of processor a delivery': Object.keys(micros).map((name) => ({
      name,
      median: digits(median(of(name))),
      least: digits(Math.min(...of(name))),
      'of raw write()': digits(median(toRaw(name))),
      'in rounds': toRaw(name).map(digits).join(' '),
    })),
  },
})
