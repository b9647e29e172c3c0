import type { ChannelFrame } from '@holdpoint/core/internal'
import { parseChannelFrame } from '@holdpoint/core/protocol'
import type { Principal } from '../base/principal.ts'
import type { HttpApp } from '../http/app.ts'
import type { Recheck } from '../http/guard/recheck.ts'
import type { EndReason } from '../http/hub/sink.ts'
import type { OpenedStream } from '../http/hub/subscriber.ts'
import { noSuchSessionText } from '../http/requests/refuse.ts'
import { type HttpResponse, refusal, responseOfReply } from '../http/responses/http-response.ts'
import { frameReply } from './frame-reply.ts'
import { endStatus, type FrameLine, FrameSink } from './frame-sink.ts'
import { localIncoming } from './local-incoming.ts'

/** Names the principal of a channel without HTTP requests, such as stdio or a MessagePort. */
export interface ChannelOptions {
  /** The principal: a channel without a URL has no headers to authenticate. */
  principal: Principal
  /**
   * Returns whether the user may still use the channel. Called every minute while a stream is open, and before an
   * answer. If omitted, only `authorize` decides.
   */
  stillAllowed?: () => boolean | Promise<boolean>
}

/**
 * How long a message may wait for the `open` frame, and how many messages may wait. Further ones are refused as for an
 * unknown session.
 */
const MAX_WAIT_MS = 10_000
const MAX_WAITING = 100

/** The server's side of a channel without a URL: frames in, frames out, one open stream at a time. */
export class FrameChannel {
  readonly #app: HttpApp
  readonly #line: FrameLine
  readonly #options: ChannelOptions
  readonly #recheck: Recheck
  #stream: OpenedStream | undefined
  /** The session that was opened last. Messages are for this session. */
  #session: string | undefined
  /** Counts `open` and `close` frames, so that work for an older one is abandoned. */
  #turn = 0
  #closed = false
  /** Resolvers of messages that arrived before the first `open`. */
  readonly #unnamed = new Set<() => void>()

  constructor(app: HttpApp, line: FrameLine, options: ChannelOptions) {
    this.#app = app
    this.#line = line
    this.#options = options
    this.#recheck = app.recheck(this.#stillAllowed)
  }

  /** Handles one received frame. Never rejects. */
  async receive(input: Uint8Array | string): Promise<void> {
    const parsed = parseChannelFrame(input, this.#app.engine.limits)
    if (!parsed.ok) return this.#reply(parsed.id, responseOfReply(parsed))
    const frame = parsed.value
    if ('close' in frame) {
      this.#turn++
      this.#endStream()
    } else if ('open' in frame) await this.#open(frame)
    else if ('message' in frame) this.#reply(frame.id, await this.#message(frame))
    else this.#reply(frame.id, await this.#request(frame))
  }

  /** Ends the channel, because the peer has disconnected. */
  close(): void {
    this.#closed = true
    this.#endStream()
    this.#release()
  }

  async #open({ id, open }: Extract<ChannelFrame, { open: unknown }>): Promise<void> {
    const turn = ++this.#turn
    this.#endStream()
    const { session, client, cursor = null } = open
    // The session is set before the response is sent, because a client may fetch a question with `request` and answer
    // it earlier. Each message is authorized separately.
    this.#session = session
    this.#release()
    const answer = await this.#app.readAs(this.#options.principal, { session, client, cursor }, this.#stillAllowed)
    if (answer.kind === 'answer') return this.#reply(id, answer)
    this.#reply(id, { status: 200, body: '{"status":"accepted"}' })
    // The channel may have been closed or opened again during the read.
    if (this.#closed || turn !== this.#turn) return
    let stream: OpenedStream | undefined
    stream = answer.open(new FrameSink(this.#line, (reason) => this.#ended(stream, reason)))
    this.#stream = stream.closed ? undefined : stream
  }

  async #message({ message }: Extract<ChannelFrame, { message: unknown }>): Promise<HttpResponse> {
    const { principal } = this.#options
    // A message does not name a session, so one that arrives before `open` waits for it.
    if (this.#session === undefined && !this.#closed) await this.#sessionNamed()
    if (this.#session !== undefined) return this.#app.messageAs(principal, this.#session, message, this.#recheck)
    return refusal('not_found', noSuchSessionText)
  }

  /** Resolves with the first `open` frame, when the channel is closed, or after a timeout. */
  #sessionNamed(): Promise<void> {
    if (this.#unnamed.size >= MAX_WAITING) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        this.#unnamed.delete(done)
        this.#app.clock.clearTimeout(timer)
        resolve()
      }
      const timer = this.#app.clock.setTimeout(done, MAX_WAIT_MS)
      this.#unnamed.add(done)
    })
  }

  #release(): void {
    for (const done of [...this.#unnamed]) done()
  }

  async #request({ request }: Extract<ChannelFrame, { request: unknown }>): Promise<HttpResponse> {
    const incoming = localIncoming(request.method, request.path, request.body)
    const answer = await this.#app.handleAs(this.#options.principal, incoming, this.#stillAllowed)
    return answer.kind === 'answer' ? answer : refusal('invalid_message', 'Streams are opened with an `open` frame.')
  }

  #stillAllowed = async () => (await this.#options.stillAllowed?.()) ?? true

  #endStream(): void {
    this.#stream?.left()
    this.#stream = undefined
  }

  #ended(stream: OpenedStream | undefined, reason: EndReason): void {
    if (this.#stream === stream) this.#stream = undefined
    // A reset itself marks the end, so no `closed` frame follows it.
    if (reason !== 'reset' && !this.#closed) this.#line.sendText(JSON.stringify({ closed: endStatus[reason] }))
  }

  #reply(id: string | undefined, answer: Pick<HttpResponse, 'status' | 'body'>): void {
    if (!this.#closed) this.#line.sendText(frameReply(id, answer))
  }
}
