import { once } from 'node:events'
import { connect } from 'node:net'
import { report } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile, ratios, spread } from '../support/statistics.ts'
import { databases, storeAt } from '../support/stores.ts'

/**
 * A commit and a load on Redis, beside the least that any question to it costs: PING, written to a socket by hand. One
 * caller waits for each; then 256 at once, whose commits share round trips.
 */
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const CALLS = 500
const CALLERS = 256
const ROUNDS = 15

const redis = (await databases()).get('redis')
if (!redis) {
  report({ about: 'redis-server is not installed: nothing was measured', results: [] })
  process.exit(0)
}
const place = redis.make()
if (place.kind !== 'redis') throw new Error('this is no Redis')
const store = storeAt(place)
await store.open()
const socket = connect({ host: new URL(place.url).hostname, port: Number(new URL(place.url).port), noDelay: true })
await once(socket, 'connect')

async function ping(): Promise<void> {
  const answered = once(socket, 'data')
  socket.write('*1\r\n$4\r\nPING\r\n')
  const [reply] = await answered
  if (`${reply}` !== '+PONG\r\n') throw new Error(`Redis says ${reply}`)
}
const commit = (caller = 0) => store.commit({ partition: `p${caller}`, events: [EVENT] })
const load = () => store.load([{ partition: 'p0', kind: 'question', id: 'q' }])

/** Microseconds of the median call. */
const medianOfCalls = (call: () => Promise<unknown>) => async () => {
  const times: number[] = []
  for (let n = 0; n < CALLS; n++) {
    const began = performance.now()
    await call()
    times.push((performance.now() - began) * 1e3)
  }
  return quantile(times, 0.5)
}
/** Microseconds of all, divided by how many there were. */
async function together(): Promise<number> {
  const began = performance.now()
  await Promise.all(Array.from({ length: CALLERS * 4 }, (_, n) => commit(n % CALLERS)))
  return ((performance.now() - began) * 1e3) / (CALLERS * 4)
}

const micros = await rounds(
  ROUNDS,
  { ping: medianOfCalls(ping), commit: medianOfCalls(commit), load: medianOfCalls(load), together },
  { warmUp: 3 },
)
await store.close()
socket.destroy()
await redis.dispose()

const limit = { name: 'PING', value: 1 }
const to = (name: 'commit' | 'load' | 'together') => ratios(micros[name], micros.ping)
const row = (id: 'commit' | 'load' | 'together', figure: string) => ({
  ...{ id, scenario: 'Redis, beside one PING', figure, unit: '× a PING', better: 'lower' as const },
  ...{ value: median(to(id)), spread: spread(to(id)), limit },
})
report({
  about: `${ROUNDS} interleaved rounds of ${CALLS} calls; the log is flushed each second`,
  results: [
    row('commit', 'one commit, p50'),
    row('load', 'one load, p50'),
    row('together', `a commit of ${CALLERS} callers at once`),
  ],
  rows: {
    µs: Object.entries(micros).map(([name, list]) => ({ name, median: digits(median(list)) })),
  },
})
process.exit(0)
