import { ask, startClients, startServer, stop } from './processes.ts'
import { MISSED } from './servers.ts'

/**
 * 1,000 clients come back at once, each of which missed 200 events: how long until all have everything, next to a
 * node:http server that has it all in one Buffer before they come.
 */
const CLIENTS = 1_000
const ROUNDS = 12
const TARGET = 1.2

const clients = startClients()
const names = ['slice', 'holdpoint, missed']
const running = new Map<string, Awaited<ReturnType<typeof startServer>>>()
for (const name of names) running.set(name, await startServer(name))

const wall = new Map<string, number[]>(names.map((name) => [name, []]))
const cpu = new Map<string, number[]>(names.map((name) => [name, []]))
for (let round = -2; round < ROUNDS; round++) {
  for (const name of names) {
    const server = running.get(name)
    if (!server) continue
    const before = await ask<number>(server.child, { cpu: true }, 'cpu')
    const began = performance.now()
    const done = ask<number>(clients, { expect: CLIENTS * MISSED }, 'done')
    clients.send({ connect: { port: server.port, count: CLIENTS, request: server.request } })
    const got = await done
    const took = performance.now() - began
    const used = ((await ask<number>(server.child, { cpu: true }, 'cpu')) - before) / 1000
    if (got !== CLIENTS * MISSED) throw new Error(`${name}: ${got} events instead of ${CLIENTS * MISSED}`)
    await ask(clients, { close: true }, 'closed')
    await new Promise((resolve) => setTimeout(resolve, 150))
    if (round < 0) continue
    wall.get(name)?.push(took)
    cpu.get(name)?.push(used)
  }
}
for (const server of running.values()) await stop(server, null)
clients.kill()

const least = (list: number[] = []) => Math.min(...list)
const rows = names.map((name) => ({
  name,
  'ms until all have all': Number(least(wall.get(name)).toFixed(0)),
  'CPU ms of the server': Number(least(cpu.get(name)).toFixed(0)),
  'of slice': Number((least(wall.get(name)) / least(wall.get('slice'))).toFixed(2)),
  target: name === 'slice' ? '' : TARGET,
}))
console.log(`${CLIENTS} clients × ${MISSED} missed events, 0 lost, 0 doubled; best of ${ROUNDS} interleaved rounds`)
console.table(rows)
console.log(JSON.stringify({ bench: 'storm', rows }))
