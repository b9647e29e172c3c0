/** Where all nodes keep what they know. */
export type StoreSetup =
  | { kind: 'sqlite'; path: string }
  | { kind: 'postgres'; url: string; schema: string }
  | { kind: 'redis'; url: string; prefix: string }

export interface NodeSetup {
  name: string
  store: StoreSetup
  leaseMs: number
  /** The file in which tools note their effects. */
  effects: string
  /** Whether the node writes rows as the next release would. */
  newer?: boolean
  /** A port of an earlier node, whose place this one takes. */
  port?: number
  /** The node kills itself with SIGKILL while it handles an answer: before its commit, or before the acknowledgment. */
  dies?: Moment
}

/** When a node that handles an answer dies. */
export type Moment = 'before the commit' | 'after the commit'

export type Command =
  | {
      type: 'run'
      tool: 'confirm' | 'waits'
      sessionId: string
      runId: string
      toolCallId: string
      mark: string
      pauseMs?: number
    }
  | { type: 'run'; tool: 'pay'; sessionId: string; runId: string; toolCallId: string; mark: string; amount: number }
  | { type: 'available'; sessionId: string }
  | { type: 'emit'; sessionId: string; text: string }
  | { type: 'ask'; sessionId: string; callIds: string[] }
  | { type: 'race'; sessionId: string; questions: Question[]; answers: number; seed: number }
  | { type: 'recover' }
  | { type: 'close' }

export interface Question {
  callId: string
  interactionId: string
  /** The digest of it as it was read. */
  shown: string
}

/** The result of one answer: who gave it, and who won according to the response. */
export interface Raced {
  interactionId: string
  status: number
  by: string
  winner: string
}

export type Answer = { id: number; value?: unknown; error?: { code: string; message: string } }
