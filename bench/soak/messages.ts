import type { Place } from '../support/stores.ts'

/** Ways in which an agent's tool asks; which one a task takes follows from its number and the seed. */
export const KINDS = [
  'approve',
  'form',
  'chain',
  'parallel',
  'reprompt',
  'short',
  'expire',
  'late',
  'later',
  'cancelled',
  'bare',
] as const
export type Kind = (typeof KINDS)[number]

/** One tool call. Given to a node again, on whichever, when the one that had it is gone. */
export interface Task {
  id: number
  kind: Kind
  sessionId: string
  userId: string
}

/** The prompt of a question, which tools write, and which people and the checker read. */
export const promptOf = (task: Pick<Task, 'id' | 'kind'>, step: string) => `${task.kind} ${task.id} ${step}`
export function readPrompt(prompt: string): { kind: Kind; task: number; step: string } {
  const [kind = '', task, step = ''] = prompt.split(' ')
  return { kind: kind as Kind, task: Number(task), step }
}

export interface NodeSetup {
  name: string
  place: Exclude<Place, { kind: 'memory' }>
  host: string
  port: number
  leaseMs: number
  /** The file in which tools note what they did, shared by all nodes. */
  journal: string
}

export type NodeOrder =
  | { type: 'run'; task: Task }
  /** Puts events of the host into a session's log; says where it ends then. */
  | { type: 'emit'; sessionId: string; userId: string; text: string; times: number }
  /** The clock of this node is so many milliseconds off from now on. */
  | { type: 'clock'; offsetMs: number }
  | { type: 'sample' }

export type ClientsOrder =
  | { type: 'nodes'; urls: string[] }
  | { type: 'open'; sessionId: string; userId: string }
  /** All clients read up to `head` and disconnect. */
  | { type: 'retire'; sessionId: string; head: number }
  /** So many readers that never read, for so long. */
  | { type: 'stall'; sessionId: string; userId: string; readers: number; ms: number }
  | { type: 'sample' }

/** The resources of a process at one moment. */
export interface Sample {
  /** Seconds since the process started. */
  age: number
  /** MiB after a collection. */
  heap: number
  rss: number
  fds: number
  timers: number
  listeners: number
}

export type Said = { id: number; value?: unknown; error?: { code: string; message: string } }

/** A line of the nodes' journal: what happened, and at which node. */
export type NodeNote =
  | ['ran', string, number]
  | ['effect', string, number, step: string, key: string]
  | ['handled', string, number, key: string]
  | ['promised', string, number, result: unknown]
  | ['refused', string, number, code: string]
  | ['delivered', string, number, deliveryId: string, result: unknown]
  | ['follow-up', string, number, deliveryId: string, interactionId: string]
  | ['emitted', string, sessionId: string, text: string]
  | ['warned', string, message: string, code: string]

/** A line of the clients' journal. A life is one client object: from a page's load to its reload. */
export type ClientNote =
  | ['life', session: string, life: string, transport: string, history: 'snapshot' | 'log']
  | ['snapshot', session: string, life: string, cursor: string]
  | ['reset', session: string, life: string, reason: string]
  | ['event', session: string, life: string, cursor: string, digest: string]
  | ['accepted', session: string, clientId: string, interactionId: string, action: string]
  | ['lost', session: string, clientId: string, interactionId: string, winner: string]
  | ['odd', session: string, clientId: string, interactionId: string, status: string]
  | ['cancelled', session: string, clientId: string, runId: string]
  | ['end', session: string, life: string, cursor: string, questions: Record<string, string>]
  | ['stuck', session: string, life: string, cursor: string, head: number]
