import { report, versionOf } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, ratios, spread } from '../support/statistics.ts'
import { ask, startClients, startServer, stop } from './processes.ts'
import { MISSED } from './servers.ts'

/**
 * 1,000 clients reconnect at once, each of which missed 200 events: the time until all have everything, compared with a
 * node:http server that has everything in one prepared Buffer, and the processor time of the server.
 */
const CLIENTS = 1_000
const ROUNDS = process.argv.includes('--quick') ? 5 : 41
const TARGET = 1.2
/**
 * Rounds that are not counted. After five, a fifth of our server's processor time is still V8's compiler, on the core
 * that the clients read on; after twenty-five a twelfth.
 */
const WARM_UP = 25

const clients = startClients()

async function storm(server: Awaited<ReturnType<typeof startServer>>): Promise<{ wall: number; cpu: number }> {
  const before = await ask<number>(server.child, { cpu: true }, 'cpu')
  const began = performance.now()
  const done = ask<number>(clients, { expect: CLIENTS * MISSED }, 'done')
  clients.send({ connect: { port: server.port, count: CLIENTS, request: server.request } })
  const got = await done
  const wall = performance.now() - began
  const cpu = ((await ask<number>(server.child, { cpu: true }, 'cpu')) - before) / 1000
  if (got !== CLIENTS * MISSED) throw new Error(`${got} events arrived instead of ${CLIENTS * MISSED}`)
  await ask(clients, { close: true }, 'closed')
  await new Promise((resolve) => setTimeout(resolve, 150))
  return { wall, cpu }
}

const [slice, ours] = [await startServer('slice'), await startServer('holdpoint, missed')]
const durable = await startServer('durable-streams, missed')
const legs = { slice: () => storm(slice), ours: () => storm(ours), durable: () => storm(durable) }
const taken = await rounds(ROUNDS, legs, { warmUp: WARM_UP })
for (const server of [slice, ours, durable]) await stop(server, null)
clients.kill()

const scenario = `${CLIENTS.toLocaleString('en-US')} clients reconnect at once, each ${MISSED} events behind`
const compared = (key: 'wall' | 'cpu') => {
  const of = (name: keyof typeof legs) => taken[name].map((one) => one[key])
  const [mine, least] = [of('ours'), of('slice')]
  return { mine, least, ratio: ratios(mine, least), theirs: of('durable'), theirRatio: ratios(of('durable'), least) }
}
const peer = (value: number) => [{ name: 'durable-streams', version: versionOf('@durable-streams/server'), value }]
const figures = { wall: compared('wall'), cpu: compared('cpu') }
const limit = 'one Buffer, written by node:http'
report({
  about: `${ROUNDS} interleaved rounds; every client has every event once, or there is no figure`,
  results: (
    [
      ['wall', 'until all have all', { target: TARGET }],
      ['cpu', "the server's CPU", {}],
    ] as const
  ).flatMap(([key, figure, target]) => {
    const { mine, least, ratio, theirs, theirRatio } = figures[key]
    const about = { scenario, figure, better: 'lower' } as const
    const cpu = figures.cpu
    return [
      {
        ...about,
        ...target,
        id: key,
        unit: '× one Buffer made before',
        value: median(ratio),
        spread: spread(ratio),
        limit: { name: limit, value: 1 },
        peers: peer(median(theirRatio)),
        why: `${digits((median(cpu.mine) - median(cpu.least)) / CLIENTS)} ms of processor more for each client, who is authenticated, authorized and put in its place`,
      },
      {
        ...about,
        id: `${key}-ms`,
        unit: 'ms',
        value: median(mine),
        spread: spread(mine),
        limit: { name: limit, value: median(least) },
        peers: peer(median(theirs)),
      },
    ]
  }),
  rows: {
    ms: (['slice', 'ours', 'durable'] as const).map((name) => ({
      name,
      'until all have all': digits(median(taken[name].map(({ wall }) => wall))),
      least: digits(Math.min(...taken[name].map(({ wall }) => wall))),
      'CPU of the server': digits(median(taken[name].map(({ cpu }) => cpu))),
      'least CPU': digits(Math.min(...taken[name].map(({ cpu }) => cpu))),
    })),
  },
})
