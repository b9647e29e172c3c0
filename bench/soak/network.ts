import { execFileSync } from 'node:child_process'
import { freePort } from '@holdpoint/conformance/free-port'
import { proxyTo, type Tap } from './proxy.ts'

export type Side = 'clients' | 'store'

/** The network between one node and all other processes. */
export interface Wire {
  /** Put before the command that starts the node. */
  readonly within: readonly string[]
  /** Where the node listens, and where clients find it. */
  readonly listen: { host: string; port: number }
  readonly url: string
  /** Where the node finds the store that listens on this port. */
  store(port: number): Promise<{ host: string; port: number }>
  /** From now on no bytes pass, and neither side is notified. */
  cut(side: Side): void
  heal(side: Side): void
}

export interface Network {
  /** In words, for the report. */
  readonly how: string
  readonly wires: readonly Wire[]
  /** Addresses on which a store must listen to be found by all nodes. */
  readonly storeHosts: readonly string[]
  dispose(): void
}

const LOCAL = '127.0.0.1'

/** Namespaces with cables that are pulled, where this process may make them; proxies that hold back bytes elsewhere. */
export async function makeNetwork(nodes: number): Promise<Network> {
  const missing = whyNoNamespaces()
  return missing === undefined ? namespaces(nodes) : await proxies(nodes, missing)
}

const ip = (...args: string[]) => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const quietly = (work: () => void) => {
  try {
    work()
  } catch {
    // It was gone already.
  }
}

function whyNoNamespaces(): string | undefined {
  const name = `hpsoak-try-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'exec', name, 'true')
    return undefined
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer }
    return code === 'ENOENT' ? 'iproute2 is not installed' : `${stderr ?? error}`.trim().split('\n')[0]
  } finally {
    quietly(() => ip('netns', 'del', name))
  }
}

/** Each node lives in a namespace with two cables, one for its clients and one for the store. */
function namespaces(nodes: number): Network {
  // A network of this process's own: two soaks at once do not meet.
  const net = `10.${128 + ((process.pid >> 8) & 127)}.${process.pid & 255}`
  const id = process.pid.toString(36)
  const made: (() => void)[] = []
  // Packets to other addresses of this network are dropped and must not reach a gateway.
  ip('route', 'add', 'blackhole', `${net}.0/24`)
  made.push(() => ip('route', 'del', 'blackhole', `${net}.0/24`))
  const cable = (space: string, side: Side, node: number) => {
    const device = `hp${id}${node}${side[0]}`
    const first = node * 8 + (side === 'store' ? 4 : 0)
    const [outside, inside] = [`${net}.${first + 1}`, `${net}.${first + 2}`]
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', side, 'netns', space)
    made.push(() => ip('link', 'del', device))
    ip('addr', 'add', `${outside}/30`, 'dev', device)
    ip('link', 'set', device, 'up')
    ip('-n', space, 'addr', 'add', `${inside}/30`, 'dev', side)
    ip('-n', space, 'link', 'set', side, 'up')
    return { outside, inside }
  }
  const places = Array.from({ length: nodes }, (_, node) => {
    const space = `hpsoak-${id}-${node}`
    ip('netns', 'add', space)
    made.push(() => ip('netns', 'del', space))
    ip('-n', space, 'link', 'set', 'lo', 'up')
    return { space, clients: cable(space, 'clients', node), store: cable(space, 'store', node) }
  })
  const dispose = () => {
    for (const undo of made.splice(0).reverse()) quietly(undo)
  }
  process.once('exit', dispose)
  return {
    how: 'network namespaces, cables pulled',
    storeHosts: [LOCAL, ...places.map(({ store }) => store.outside)],
    wires: places.map((place) => ({
      within: ['ip', 'netns', 'exec', place.space],
      listen: { host: place.clients.inside, port: 4_000 },
      url: `http://${place.clients.inside}:4000`,
      store: async (port) => ({ host: place.store.outside, port }),
      // At the far end: at the near one the machine would look for another way there.
      cut: (side) => ip('-n', place.space, 'link', 'set', side, 'down'),
      heal: (side) => ip('-n', place.space, 'link', 'set', side, 'up'),
    })),
    dispose,
  }
}

async function proxies(nodes: number, why: string): Promise<Network> {
  const open: Tap[] = []
  const wire = async (): Promise<Wire> => {
    const listen = { host: LOCAL, port: await freePort() }
    const clients = await proxyTo(listen.port)
    let store: Tap | undefined
    open.push(clients)
    const of = (side: Side) => (side === 'clients' ? clients : store)
    return {
      within: [],
      listen,
      url: `http://${LOCAL}:${clients.port}`,
      async store(port) {
        store ??= await proxyTo(port)
        open.push(store)
        return { host: LOCAL, port: store.port }
      },
      cut: (side) => of(side)?.hold(true),
      heal: (side) => of(side)?.hold(false),
    }
  }
  return {
    how: `TCP proxies, because there are no network namespaces here (${why})`,
    storeHosts: [LOCAL],
    wires: await Promise.all(Array.from({ length: nodes }, wire)),
    dispose: () => {
      for (const proxy of open) proxy.close()
    },
  }
}
