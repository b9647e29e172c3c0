import { setTimeout as sleep } from 'node:timers/promises'
import { hasEnded, tracesOf } from './check-tasks.ts'
import type { Child } from './child.ts'
import type { Cluster } from './cluster.ts'
import { JournalReader } from './journal.ts'
import { type ClientsOrder, KINDS, type NodeNote, type Task } from './messages.ts'
import { oneOf } from './seeded.ts'

/** Concurrent sessions, concurrent tasks in each, and the number of tasks until a session ends. */
const SESSIONS = 4
const AT_ONCE = 3
const TASKS = 12
/** The time after which the bench stops waiting for a silent node. */
const PATIENCE_MS = 15_000

export interface SessionPlace {
  sessionId: string
  userId: string
}

/** Sessions that come and go, with agents that work in them: as hosts do it, a call whose node is gone is made again. */
export class Load {
  readonly sessions: SessionPlace[] = []
  readonly tasks: Task[] = []
  readonly notes: NodeNote[] = []
  /** The sessions in use. */
  readonly live = new Set<SessionPlace>()
  private readonly world: { cluster: Cluster; clients: Child<ClientsOrder>; random: () => number }
  private readonly reader: JournalReader<NodeNote>
  private readonly ran = new Set<number>()
  private readonly ended = new Set<number>()
  private texts = 0
  private stopping = false

  constructor(world: Load['world'], journal: string) {
    this.world = world
    this.reader = new JournalReader(journal)
  }

  /** Resolves once `stop` was called and everything that was begun has ended, or its patience has. */
  async run(): Promise<void> {
    const looking = setInterval(() => this.look(), 50)
    await Promise.all(Array.from({ length: SESSIONS }, () => this.slot()))
    clearInterval(looking)
    this.look()
  }

  stop(): void {
    this.stopping = true
  }

  /** Reads the records that the nodes have added. */
  look(): void {
    const news = this.reader.next()
    this.notes.push(...news)
    for (const [id, traces] of tracesOf(news)) if (hasEnded(traces)) this.ended.add(id)
    for (const note of news) if (note[0] === 'ran') this.ran.add(note[2])
  }

  /** Writes a text of its own into the session's log, on whichever node can. Says where the log ends. */
  async emit(place: SessionPlace): Promise<number> {
    for (;;) {
      const got = await this.tryEmit(place, { size: 20, times: 1 })
      if (got !== undefined) return got
      await sleep(200)
    }
  }

  /** Once: what a slow node is still writing must not be written by the others, too. */
  async tryEmit({ sessionId, userId }: SessionPlace, { size, times }: { size: number; times: number }) {
    const text = `text ${++this.texts} of ${sessionId} `.padEnd(size, 'x')
    const node = await this.world.cluster.pick(this.world.random())
    const head = node.do<number>({ type: 'emit', sessionId, userId, text, times }).catch(() => undefined)
    return await Promise.race([head, sleep(PATIENCE_MS, undefined, { ref: false })])
  }

  private async slot(): Promise<void> {
    while (!this.stopping) {
      const n = this.sessions.length
      const place = { sessionId: `s${n}`, userId: `u${n % 5}` }
      this.sessions.push(place)
      this.live.add(place)
      await this.world.clients.do({ type: 'open', ...place })
      let left = TASKS
      const lane = async () => {
        while (left-- > 0 && !this.stopping) {
          const { random } = this.world
          const task: Task = { id: this.tasks.length, kind: oneOf(KINDS, random()), ...place }
          this.tasks.push(task)
          await this.carryOut(task)
          if (random() < 0.3) await this.emit(place)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
      // The log of a session that was never written to does not exist.
      const head = await this.emit(place)
      this.live.delete(place)
      await this.world.clients.do({ type: 'retire', sessionId: place.sessionId, head })
    }
  }

  private async carryOut(task: Task): Promise<void> {
    // Some are called once by their host, and recovery decides about them. The others are called again.
    const once = task.id % 3 === 1 && task.kind !== 'bare'
    for (let tries = 0; tries < 20; tries++) {
      const node = await this.world.cluster.pick(this.world.random())
      const run = node.do({ type: 'run', task }).catch(() => {})
      await Promise.race([run, this.until(() => this.ended.has(task.id))])
      if (once) await this.until(() => this.ended.has(task.id) || !this.ran.has(task.id))
      await sleep(100)
      if (this.ended.has(task.id)) return
    }
  }

  private async until(done: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_MS
    while (!done() && Date.now() < end) await sleep(50)
  }
}
