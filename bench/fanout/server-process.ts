import { servers } from './servers.ts'

/** One server in a process of its own, told what to do by messages; its CPU time and memory are its own. */
export interface Emit {
  events: number
  size: number
  /** Between two events, or two bursts. */
  gapMs: number
  burst?: number
}

const make = servers[process.argv[2] ?? '']
if (!make) throw new Error(`no server is called ${process.argv[2]}`)
const server = await make()

process.on('message', async (message: { emit?: Emit; memory?: true; cpu?: true }) => {
  if (message.cpu) {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  }
  if (message.memory) {
    compact()
    await new Promise((resolve) => setTimeout(resolve, 100))
    compact()
    process.send?.({ memory: process.memoryUsage.rss() })
  }
  if (message.emit) {
    await emit(message.emit)
    process.send?.({ emitted: true })
  }
})

// A server whose bench is gone goes too.
process.on('disconnect', () => process.exit())

async function emit({ events, size, gapMs, burst = 1 }: Emit) {
  for (let event = 0; event < events; event += burst) {
    await Promise.all(Array.from({ length: burst }, () => server.emit(size)))
    await new Promise((resolve) => (gapMs === 0 ? setImmediate(resolve) : setTimeout(resolve, gapMs)))
  }
}

/** As a process short of memory would: pages that hold hardly anything are given back. */
function compact() {
  const { gc } = globalThis as { gc?: (options: object) => void }
  gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

process.send?.({ ready: { port: server.port, request: server.request } })
