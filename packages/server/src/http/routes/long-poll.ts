import type { ResetReason } from '@holdpoint/core/internal'
import { cursorAt } from '@holdpoint/core/wire'
import type { EventBatch } from '../hub/event-batch.ts'
import type { EndReason, Sink } from '../hub/sink.ts'
import type { OpenedStream } from '../hub/subscriber.ts'
import { refuse } from '../requests/refuse.ts'
import { type HttpResponse, jsonResponse, jsonTextResponse } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import type { StreamAsked } from '../streams/stream-registry.ts'

/** The number of characters of JSON after which a page is full. The next poll returns the rest. */
const pageSize = 1024 * 1024

/** Holds a request until events arrive or its waiting time ends. */
export async function longPoll(
  context: UserContext,
  request: Omit<StreamAsked, 'sink' | 'keepsPresence'>,
): Promise<HttpResponse> {
  const { clock, tuning } = context
  const waitMs = Math.min(seconds(context.query.get('wait')) * 1000, tuning.maxWaitMs)
  const sink = new PollSink(waitMs === 0)
  const subscriber = context.streams.open({ ...request, keepsPresence: false, sink })
  context.incoming.onGone(() => sink.finish('gone'))
  const timer = waitMs === 0 ? undefined : clock.setTimeout(() => sink.finish('timeout'), waitMs)
  const outcome = await sink.outcome
  clock.clearTimeout(timer)
  subscriber.left()
  return page(outcome, sink, request.cursor, subscriber)
}

function page(outcome: Outcome, sink: PollSink, cursor: string | null, { epoch }: OpenedStream): HttpResponse {
  if (typeof outcome === 'object') return jsonResponse(200, outcome)
  if (outcome === 'unauthorized' || outcome === 'revoked') {
    refuse('not_authenticated', 'This login is no longer valid. Log in and connect again.')
  }
  if (outcome === 'failed') {
    refuse('store_unavailable', 'The log could not be read right now; nothing was lost.', { retryAfterMs: 2_000 })
  }
  const next = sink.cursor ?? cursor ?? cursorAt(epoch, null)
  return jsonTextResponse(200, `{"cursor":${JSON.stringify(next)},"events":[${sink.events.join(',')}]}`)
}

function seconds(wait: string | null): number {
  const value = Number(wait ?? 25)
  return Number.isFinite(value) && value >= 0 ? value : 25
}

type Outcome = { reset: ResetReason } | EndReason | 'events' | 'timeout' | 'gone'

/** Collects one page: the missed events or, if there are none, the first event that happens. */
class PollSink implements Sink {
  readonly events: string[] = []
  cursor: string | undefined
  readonly outcome: Promise<Outcome>
  /** Resolves `outcome`. Only the first call has an effect. */
  finish: (outcome: Outcome) => void = () => {}
  readonly #hasty: boolean
  #size = 0
  #live = false

  constructor(hasty: boolean) {
    this.outcome = new Promise((resolve) => {
      this.finish = resolve
    })
    this.#hasty = hasty
  }

  buffered(): number {
    return 0
  }

  send(batch: EventBatch, after: number, to: number): void {
    if (this.#size > pageSize) return
    for (let seq = Math.max(after + 1, batch.first); seq <= to; seq++) {
      const event = batch.at(seq)
      if (!event || this.#size > pageSize) break
      this.events.push(event.json)
      this.#size += event.json.length
      this.cursor = cursorAt(batch.epoch, event)
    }
    if (this.#live || this.#size > pageSize) this.finish('events')
  }

  live(): void {
    this.#live = true
    if (this.#hasty || this.events.length > 0) this.finish('events')
  }

  reset(reason: ResetReason): void {
    this.finish({ reset: reason })
  }

  end(reason: EndReason): void {
    this.finish(reason)
  }

  heartbeat(): void {}

  async drained(): Promise<void> {}
}
