import { report, versionOf } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile, ratios, spread } from '../support/statistics.ts'
import { ask, compileRawWrite, connectAll, startClients, startRawWrite, startServer, stop } from './processes.ts'

/**
 * One event to 1,000 clients: the server's CPU time for each delivery, compared with that of a C program that only
 * calls write() with the same bytes for the same number of sockets. Holdpoint's events are in SQLite (FULL) before they
 * leave. The peers keep theirs in memory, so a second Holdpoint does too. Peers send fewer bytes (a ws frame 204, ours
 * about 330); padded to as many they cost the same. All clients stay connected and the servers take short turns, so
 * that other work on the machine affects all alike. `--quick` has a tenth of the turns.
 */
const CLIENTS = 1_000
/** The numbers of one turn. The first events are not counted, because an idle server has lost its processor cache. */
const EVENTS = { uncounted: 4, counted: 20 }
const SIZE = 200
/** Long enough that everything has been read before the next event: a reader that is awake costs its writer less. */
const GAP_MS = 25
/**
 * Events that are not counted, as many as fit into this time. Code that runs for each delivery is compiled after the
 * first of them; code that runs for each event, such as a commit, is still interpreted after hundreds. Servers run for
 * days.
 */
const WARM_UP = { events: 2_000, piece: 50, ms: 20_000 }
const ROUNDS = process.argv.includes('--quick') ? 4 : 40
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

/** A server with its readers, which stay; `turn` resolves with its CPU time for a delivery, in microseconds. */
interface Leg {
  turn(): Promise<number>
  stop(): Promise<void>
}

async function rawLeg(program: string): Promise<Leg> {
  const clients = startClients()
  const raw = await startRawWrite(program, CLIENTS, SIZE + ENVELOPE)
  await connectAll(clients, { port: raw.port, count: CLIENTS, request: ['raw'] })
  await new Promise((resolve) => setTimeout(resolve, 300))
  return {
    async turn() {
      await raw.emit(EVENTS.uncounted, GAP_MS * 1000)
      return (await raw.emit(EVENTS.counted, GAP_MS * 1000)) / (CLIENTS * EVENTS.counted)
    },
    async stop() {
      raw.child.kill()
      clients.kill()
    },
  }
}

async function leg(name: string): Promise<Leg> {
  const clients = startClients()
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
  const warmUntil = performance.now() + WARM_UP.ms
  for (let event = 0; event < WARM_UP.events && performance.now() < warmUntil; event += WARM_UP.piece) {
    await phase(WARM_UP.piece * burst, 1)
  }
  return {
    async turn() {
      await phase(EVENTS.uncounted * burst)
      return await phase(EVENTS.counted * burst)
    },
    async stop() {
      await stop(server, clients)
      clients.kill()
    },
  }
}

const program = compileRawWrite()
const names = ['holdpoint', 'holdpoint, in memory', 'holdpoint, coalescing', ...Object.keys(peers)]
const legs: Record<string, Leg> = program ? { 'raw write()': await rawLeg(program) } : {}
for (const name of names) legs[name] = await leg(name)
const turns = Object.entries(legs).map(([name, { turn }]) => [name, turn] as const)
const micros: Record<string, number[]> = await rounds(ROUNDS, Object.fromEntries(turns))
for (const { stop } of Object.values(legs)) await stop()
console.log('left out: durable-streams on disk, where a round would take minutes; see durable-streams-server.ts')
if (!program) console.log('no C compiler was found (cc): the ratio to a raw write() is missing')

const of = (name: string) => micros[name] ?? []
const toRaw = (name: string) => ratios(of(name), of('raw write()'))
const toWs = (name: string) => ratios(of(name), of('ws'))
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
  about: `${ROUNDS} rounds in which each server has a turn of ${EVENTS.counted} events`,
  results,
  rows: {
    'µs of processor a delivery': Object.keys(micros).map((name) => ({
      name,
      median: digits(median(of(name))),
      least: digits(Math.min(...of(name))),
      'of raw write()': digits(median(toRaw(name))),
      'middle half': middleHalf(toRaw(name)),
      'of ws': digits(median(toWs(name))),
      'in rounds less than ws': toWs(name).filter((ratio) => ratio < 1).length,
    })),
  },
})

function middleHalf(values: readonly number[]): string {
  return `${digits(quantile(values, 0.25))} to ${digits(quantile(values, 0.75))}`
}
