import type { HoldpointEvent } from '@holdpoint/core'
import type {
  TransportConnection,
  TransportContext,
  TransportFailure,
  TransportListener,
} from '@holdpoint/core/internal'

import type { ScriptedPeer } from './script.ts'

/** A listener that records its calls and lets a test wait for them. */
export interface Recorder {
  /** In order: `open`, `alive`, `down network`, `reset epoch`, `malformed code at path`, and the text of each event. */
  readonly log: string[]
  readonly placed: { cursor: string; event: HoldpointEvent }[]
  readonly failure: TransportFailure | undefined
  /** Resolves when the log contains the expected entry. */
  heard(what: string | ((log: readonly string[]) => boolean)): Promise<void>
  close(): void
}

export const context: TransportContext = {
  sessionId: 's/1 ü',
  clientId: 'tab-1',
  env: {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
    random: () => 0.5,
    id: () => crypto.randomUUID(),
    fetch: (input, init) => fetch(input, init),
  },
}

const PATIENCE_MS = 5_000

export function listen(peer: ScriptedPeer, cursor: string | null = null): Recorder {
  const log: string[] = []
  const placed: Recorder['placed'] = []
  let failure: TransportFailure | undefined
  let check = () => {}
  const write = (...lines: string[]) => {
    log.push(...lines)
    check()
  }
  const listener: TransportListener = {
    open: () => write('open'),
    events(batch) {
      placed.push(...batch)
      write(...batch.map(({ event }) => String(event.text ?? event.type)))
    },
    reset: (reason) => write(`reset ${reason}`),
    alive: () => write('alive'),
    malformed: (problem) => write(`malformed ${problem.code}`),
    down(reason) {
      failure = reason
      write(`down ${reason.code}`)
    },
  }
  const connection: TransportConnection = peer.transport.connect(context, cursor, listener)
  return {
    log,
    placed,
    get failure() {
      return failure
    },
    close: () => connection.close(),
    heard(what) {
      const done =
        typeof what === 'function' ? what : (lines: readonly string[]) => lines.some((line) => line.startsWith(what))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`Waited for ${String(what)} and received only: ${JSON.stringify(log)}`)),
          PATIENCE_MS,
        )
        check = () => {
          if (!done(log)) return
          clearTimeout(timer)
          resolve()
        }
        check()
      })
    },
  }
}

/** Long enough for pending frames to arrive. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 60))
