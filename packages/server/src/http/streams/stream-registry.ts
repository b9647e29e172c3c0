import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import type { Engine, SessionRecord } from '../../engine/api/engine.ts'
import type { Hub } from '../hub/hub.ts'
import type { Sink } from '../hub/sink.ts'
import type { OpenedStream, Opening } from '../hub/subscriber.ts'
import { userKey } from '../requests/user-key.ts'
import type { WaitingStreams } from './waiting-streams.ts'

/** The principal, session and cursor of a requested stream. */
export interface StreamRequest {
  principal: Principal
  session: SessionRecord
  cursor: string | null
  /** The client ids of the tabs or devices that read. An open stream counts as their presence. */
  clientIds: readonly string[]
  /**
   * True if the client's presence ends with the stream. False for a long poll, which ends often while its client stays.
   */
  keepsPresence: boolean
  sink: Sink
  reauthenticate(): Promise<boolean>
}

/** A stream request whose session may not be readable for the principal; `session` is null then. */
export type StreamAsked = Omit<StreamRequest, 'session'> & { sessionId: string; session: SessionRecord | null }

/** Opens the streams of users in the hub: counts them, keeps presence, and authorizes them again. */
export class Streams {
  readonly #engine: Engine
  readonly #hub: Hub
  readonly #waiting: WaitingStreams
  readonly #perUser: number
  readonly #onProblem: (error: unknown) => void
  readonly #open = new Map<string, number>()
  readonly #clients = new Map<string, number>()

  constructor(engine: Engine, hub: Hub, waiting: WaitingStreams, perUser: number, onProblem: (error: unknown) => void) {
    this.#engine = engine
    this.#hub = hub
    this.#waiting = waiting
    this.#perUser = perUser
    this.#onProblem = onProblem
  }

  /** Throws `rate_limited` if `more` additional streams would exceed the limit of the user; each client counts as one. */
  admit(principal: Principal, more = 1): void {
    if ((this.#open.get(userKey(principal)) ?? 0) + more <= this.#perUser) return
    throw new HoldpointError(
      'rate_limited',
      `You have ${this.#perUser} streams open, which is the limit. Close some of them, or share one between tabs.`,
      { details: { retryAfterMs: 5_000 } },
    )
  }

  /**
   * Returns the session if this person may read its log. Thousands of readers that reconnect at once cause one read of
   * the row: while the log is followed here, the owner is known and changes are notified. Use it for the log only,
   * because data that is read again for each request could belong to another owner by then.
   */
  async readable(principal: Principal, sessionId: string): Promise<SessionRecord | null> {
    const { userId, tenant = '' } = principal
    const followed = this.#hub.followed(this.#engine.partition({ tenant, sessionId, userId }))
    const session = await this.#engine.access(principal, sessionId, 'read', followed?.owner)
    if (followed && session) followed.owner = session.userId
    return session
  }

  /** Opens a stream of the session. While the principal cannot read it, the stream is open and empty. */
  open({ sessionId, session, ...request }: StreamAsked): OpenedStream {
    const open = (readable: SessionRecord) => this.#hub.open(new OpenStream(this, { ...request, session: readable }))
    if (session) return open(session)
    const { principal, sink, reauthenticate } = request
    const { userId, tenant = '' } = principal
    const user = userKey(principal)
    const streams = streamsOf(request)
    count(this.#open, user, streams)
    return this.#waiting.open({
      partition: this.#engine.partition({ tenant, sessionId, userId }),
      principal,
      sink,
      reauthenticate,
      open,
      find: () => this.#engine.access(principal, sessionId, 'read'),
      ended: () => void count(this.#open, user, -streams),
    })
  }

  /** Adds to or subtracts from the number of open streams of a user. */
  count(user: string, by: number): void {
    count(this.#open, user, by)
  }

  /** Adds to or subtracts from the number of open streams of a client. Returns the new number. */
  countClient(client: string, by: 1 | -1): number {
    return count(this.#clients, client, by)
  }

  partition(session: SessionRecord): string {
    return this.#engine.partition(session)
  }

  async mayRead({ principal, session, reauthenticate }: StreamRequest): Promise<boolean> {
    return (await reauthenticate()) && (await this.#engine.access(principal, session.sessionId, 'read')) !== null
  }

  touch({ session, principal }: StreamRequest, clientId: string): void {
    this.#engine.presence.touch(session, { clientId, userId: principal.userId }).catch(this.#onProblem)
  }

  leave({ session, principal }: StreamRequest, clientId: string): void {
    this.#engine.presence.leave(session, { clientId, userId: principal.userId }).catch(this.#onProblem)
  }
}

/**
 * One stream in the form that the hub expects. It is a class because closures would cost memory for each of thousands
 * of idle streams.
 */
class OpenStream implements Opening {
  readonly #streams: Streams
  readonly #request: StreamRequest

  constructor(streams: Streams, request: StreamRequest) {
    this.#streams = streams
    this.#request = request
    streams.count(userKey(request.principal), streamsOf(request))
    for (const clientId of request.clientIds) streams.countClient(this.#keyOf(clientId), 1)
    this.beat()
  }

  get partition(): string {
    return this.#streams.partition(this.#request.session)
  }

  get cursor(): string | null {
    return this.#request.cursor
  }

  get principal(): Principal {
    return this.#request.principal
  }

  get sink(): Sink {
    return this.#request.sink
  }

  reauthorize(): Promise<boolean> {
    return this.#streams.mayRead(this.#request)
  }

  beat(): void {
    for (const clientId of this.#request.clientIds) this.#streams.touch(this.#request, clientId)
  }

  ended(): void {
    const { principal, clientIds, keepsPresence } = this.#request
    this.#streams.count(userKey(principal), -streamsOf(this.#request))
    for (const clientId of clientIds) {
      const last = this.#streams.countClient(this.#keyOf(clientId), -1) === 0
      if (last && keepsPresence) this.#streams.leave(this.#request, clientId)
    }
  }

  #keyOf(clientId: string): string {
    const { session, principal } = this.#request
    return JSON.stringify([session.tenant, session.sessionId, userKey(principal), clientId])
  }
}

/** A client costs as much as a stream, because its presence is stored again with each heartbeat. */
export const streamsOf = ({ clientIds }: { clientIds: readonly string[] }): number => Math.max(1, clientIds.length)

function count(map: Map<string, number>, key: string, by: number): number {
  const next = (map.get(key) ?? 0) + by
  if (next === 0) map.delete(key)
  else map.set(key, next)
  return next
}
