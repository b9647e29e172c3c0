import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import type { Violation } from './history.ts'
import type { NodeOrder, NodeSetup } from './messages.ts'
import type { Network } from './network.ts'
import type { OwnStore } from './own-store.ts'
import { oneOf } from './seeded.ts'

interface Place {
  setup: NodeSetup
  within: readonly string[]
  child: Child<NodeOrder>
  starts: number
  stopped: boolean
}

/** Nodes on one store, each a process that may be killed and is started again. */
export class Cluster {
  readonly crashes: Violation[] = []
  private readonly execArgv: readonly string[]
  private readonly places: Place[] = []
  private ended = false

  constructor(execArgv: readonly string[]) {
    this.execArgv = execArgv
  }

  async start(network: Network, store: OwnStore, rest: { journal: string; leaseMs: number }): Promise<void> {
    for (const [n, wire] of network.wires.entries()) {
      const place = store.place(await wire.store(store.port))
      const setup = { name: String.fromCharCode(65 + n), place, ...wire.listen, ...rest }
      this.places.push({ setup, within: wire.within, child: this.spawn(setup, wire.within), starts: 1, stopped: false })
      // One after the other: the first one makes the tables.
      await this.places.at(-1)?.child.ready
    }
  }

  get size(): number {
    return this.places.length
  }

  /** A node that is there. One that is stopped looks as if it were. */
  async pick(chance: number): Promise<Child<NodeOrder>> {
    for (;;) {
      const alive = this.places.filter(({ child }) => child.alive)
      if (alive.length > 0) return oneOf(alive, chance).child
      await sleep(50)
    }
  }

  of(node: number): Child<NodeOrder> {
    return this.at(node).child
  }

  /** kill -9, and a new process after a while. */
  async kill(node: number, downMs: number): Promise<void> {
    const place = this.at(node)
    if (!place.child.alive) return
    await place.child.kill()
    place.stopped = false
    await sleep(downMs)
    if (this.ended) return
    place.child = this.spawn(place.setup, place.within)
    place.starts++
  }

  async stop(node: number, ms: number): Promise<void> {
    const place = this.at(node)
    const { child } = place
    place.stopped = true
    child.signal('SIGSTOP')
    await sleep(ms)
    child.signal('SIGCONT')
    place.stopped = false
  }

  /** Those who can say how they are, by the name of their life. */
  awake(): { name: string; child: Child<NodeOrder> }[] {
    return this.places
      .filter(({ child, stopped }) => child.alive && !stopped)
      .map(({ setup, starts, child }) => ({ name: `${setup.name}#${starts}`, child }))
  }

  async dispose(): Promise<void> {
    this.ended = true
    await Promise.all(this.places.map(({ child }) => child.kill()))
  }

  private at(node: number): Place {
    const place = this.places[node]
    if (!place) throw new Error(`there is no node ${node}`)
    return place
  }

  private spawn(setup: NodeSetup, within: readonly string[]): Child<NodeOrder> {
    const child = startChild<NodeOrder>('node-process.ts', setup, { execArgv: this.execArgv, within })
    void child.gone.then(() => {
      if (child.died === undefined || this.ended) return
      this.crashes.push({ rule: 'nodes live', what: `node ${setup.name} ended by itself: ${child.died}` })
    })
    return child
  }
}
