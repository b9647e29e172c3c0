import type { ResetReason } from '../protocol/frames.ts'
import { decodeEvent } from '../wire/events/decode-event.ts'
import type { PlacedEvent } from '../wire/events/frame.ts'
import { guarded } from './guarded.ts'
import { inboxPath, sessionPath } from './http.ts'
import type { SendResult, Transport, TransportFailure, TransportListener } from './types.ts'

/** The calls that a peer in the same process can make to a reader. */
export interface MemorySink {
  open(): void
  events(batch: readonly PlacedEvent[]): void
  reset(reason: ResetReason): void
  alive(): void
  end(failure: TransportFailure): void
}

/** One call of a client, as a route: what HTTP would have carried. */
export interface MemoryCall {
  sessionId: string
  clientId: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** The other side of `memoryTransport`: a recorded log, a test's script, or a server in the same process. */
export interface MemoryPeer {
  /** Starts a stream after `cursor`. Returns a function that stops it. */
  subscribe(reader: { sessionId: string; clientId: string; cursor: string | null }, sink: MemorySink): () => void
  call(call: MemoryCall): SendResult | Promise<SendResult>
}

/**
 * A transport without a network: for stories, tests and servers in the same process.
 *
 * @example
 * const log = recordedPeer({ sessionId: 'task-42' })
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: memoryTransport(log) })
 * log.emit({ type: 'run_status', runId: 'run-1', status: 'running' })
 */
export function memoryTransport(peer: MemoryPeer): Transport {
  const call = async (what: MemoryCall, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    if (!signal) return peer.call(what)
    const given = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return Promise.race([peer.call(what), given])
  }
  return {
    name: 'memory',
    connect(context, cursor, listener) {
      let stop = () => {}
      const guard = guarded(listener, () => stop())
      // Asynchronous like any network: no callback runs before `connect` has returned.
      queueMicrotask(() => {
        if (guard.ended) return
        const { open, reset, alive, down } = guard.listener
        const events = (batch: readonly PlacedEvent[]) => deliverBatch(batch, guard.listener)
        stop = peer.subscribe({ ...ids(context), cursor }, { open, events, reset, alive, end: down })
        if (guard.ended) stop()
      })
      return guard.connection
    },
    send: (context, message, signal) =>
      call({ ...ids(context), method: 'POST', path: sessionPath(context, '/messages'), body: message }, signal),
    snapshot: (context, signal) => call({ ...ids(context), method: 'GET', path: sessionPath(context) }, signal),
    request: (context, path, { method, body, raw, signal }) =>
      call({ ...ids(context), method, path, body: raw ?? body }, signal),
    inbox: (context, next, signal) => call({ ...ids(context), method: 'GET', path: inboxPath(next) }, signal),
  }
}

/** Typed values can still be wrong (a fixture, a cast), so they are validated as if they came over a wire. */
function deliverBatch(batch: readonly PlacedEvent[], listener: TransportListener) {
  const fine = batch.filter(({ event }) => {
    const decoded = decodeEvent(event)
    if (!decoded.ok) listener.malformed(decoded.problem)
    return decoded.ok
  })
  if (fine.length > 0) listener.events(fine)
}

const ids = ({ sessionId, clientId }: { sessionId: string; clientId: string }) => ({ sessionId, clientId })
