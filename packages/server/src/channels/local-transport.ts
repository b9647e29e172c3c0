import type { HoldpointEvent, Transport } from '@holdpoint/core'
import type { MemoryCall, MemorySink, SendResult, TransportFailure } from '@holdpoint/core/internal'
import { memoryTransport } from '@holdpoint/core/testing'

import { cursorAt } from '@holdpoint/core/wire'
import type { Principal } from '../base/principal.ts'
import type { HttpApp } from '../http/app.ts'
import type { EventBatch } from '../http/hub/event-batch.ts'
import type { EndReason, Sink } from '../http/hub/sink.ts'
import type { OpenedStream } from '../http/hub/subscriber.ts'
import { appOf, type Mounted } from '../http/mounted.ts'
import { endStatus } from './frame-sink.ts'
import { localIncoming } from './local-incoming.ts'

/**
 * Returns a client's transport to a Holdpoint in the same process. The rules are the same as over the network.
 *
 * @example
 * const client = createHoldpointClient({ sessionId: 'task-42', transport: localTransport(holdpoint, { userId: 'ada' }) })
 */
export function localTransport(holdpoint: Mounted, principal: Principal): Transport {
  const app = appOf(holdpoint)
  const transport = memoryTransport({
    subscribe: (reader, sink) => subscribe(app, principal, reader, sink),
    call: (call) => perform(app, principal, call),
  })
  return { ...transport, name: 'local' }
}

async function perform(app: HttpApp, principal: Principal, call: MemoryCall): Promise<SendResult> {
  const incoming = localIncoming(call.method, call.path, await bytesOf(call.body))
  const answer = await app.handleAs(principal, incoming, async () => true)
  if (answer.kind === 'stream') throw new TypeError('A local call is never answered with a stream.')
  const seconds = answer.headers['retry-after']
  const body: unknown = answer.body ? JSON.parse(answer.body) : undefined
  return { status: answer.status, body, ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }) }
}

const bytesOf = async (body: unknown) => (body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : body)

function subscribe(
  app: HttpApp,
  principal: Principal,
  reader: { sessionId: string; clientId: string; cursor: string | null },
  sink: MemorySink,
): () => void {
  let stopped = false
  let stream: OpenedStream | undefined
  const start = async () => {
    const request = { session: reader.sessionId, client: reader.clientId, cursor: reader.cursor }
    const answer = await app.readAs(principal, request, async () => true)
    if (stopped) return
    if (answer.kind === 'answer') return sink.end(failure(answer.status))
    sink.open()
    if (!stopped) stream = answer.open(new LocalSink(sink))
  }
  void start()
  return () => {
    stopped = true
    stream?.left()
  }
}

/** Passes parsed events. Each reader gets its own objects, so that one reader's change does not affect another. */
class LocalSink implements Sink {
  readonly #sink: MemorySink

  constructor(sink: MemorySink) {
    this.#sink = sink
  }

  buffered(): number {
    return 0
  }

  send(batch: EventBatch, after: number, to: number): void {
    const placed = batch.events
      .filter(({ seq }) => seq > after && seq <= to)
      .map((event) => ({ cursor: cursorAt(batch.epoch, event), event: JSON.parse(event.json) as HoldpointEvent }))
    this.#sink.events(placed)
  }

  heartbeat(): void {
    this.#sink.alive()
  }

  reset(reason: Parameters<MemorySink['reset']>[0]): void {
    this.#sink.reset(reason)
  }

  async drained(): Promise<void> {}

  end(reason: EndReason): void {
    if (reason !== 'reset') this.#sink.end(failure(endStatus[reason]))
  }
}

const codes: Record<number, TransportFailure['code']> = {
  200: 'ended',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

const failure = (status: number): TransportFailure => ({
  code: codes[status] ?? 'server',
  message: status === 200 ? 'The server ended the stream.' : `The server answered ${status}.`,
})
