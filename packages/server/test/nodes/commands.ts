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
}

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
  | { type: 'available'; sessionId: string }
  | { type: 'emit'; sessionId: string; text: string }
  | { type: 'recover' }
  | { type: 'close' }

export type Answer = { id: number; value?: unknown; error?: { code: string; message: string } }
