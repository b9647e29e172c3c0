import type { Environment, TransportConnection, TransportFailure } from '../transport/types.ts'
import type { parseCursor } from '../wire/events/cursor.ts'
import type { OpenShared, SharedSession } from './by-session.ts'
import type { LeaderMessage, Wanted } from './messages.ts'

/** Sessions of one stream, and clients of one session: the limits of the server. */
const MOST = 100
/** How long a closed tab counts as present. A page that reconnects leaves and joins again within this time. */
const DROP_MS = 1_000
/** After this time without a response, the next request of a member asks the server again. */
const HUNG_MS = 10_000

interface Stream {
  readonly id: string
  readonly askedAt: number
  /** The members for which it was opened. */
  readonly members: ReadonlyMap<string, Wanted>
  /** The cursor of the last event of the stream, by session. */
  readonly cursors: Map<string, string | null>
  connection?: TransportConnection
}

/** Holds the stream that all members share. */
export interface Leader {
  readonly members: ReadonlyMap<string, Wanted>
  join(member: string, wanted: Wanted): void
  drop(member: string): void
  /** Stops opening streams. The open stream continues until `close`. */
  stopOpening(): void
  close(): void
}

/**
 * Opens one stream for the sessions of all members. When they change, it opens the next stream before it ends the
 * previous one, so that no event is late. It uses no timer here, because browsers slow down timers in the background.
 */
export function createLeader(
  env: Environment,
  open: OpenShared,
  broadcast: (message: LeaderMessage) => void,
  parse: typeof parseCursor,
): Leader {
  const members = new Map<string, Wanted>()
  let current: Stream | undefined
  let next: Stream | undefined
  let again = false
  let resting = false
  let dropTimer: unknown

  /** Has its own cursor until the stream that starts there is open, and then that of the stream. */
  const cursorOf = (id: string, wanted: Wanted) =>
    current?.members.get(id) === wanted ? (current.cursors.get(wanted.session) ?? null) : wanted.cursor

  /**
   * Returns the earlier cursor, from which both readers get all missing events; of cursors that cannot be compared, the
   * first.
   */
  function earlier(a: string | null, b: string | null): string | null {
    const [x, y] = [parse(a), parse(b)]
    if (!x || !y) return x ? b : a
    // A session that did not exist yet: everything is after it.
    if (x.seq === 0 || y.seq === 0) return x.seq === 0 ? a : b
    return y.epoch === x.epoch && y.seq < x.seq ? b : a
  }

  function collect(): SharedSession[] {
    const sessions = new Map<string, { cursor: string | null; clients: string[] }>()
    const refused: string[] = []
    for (const [id, wanted] of members) {
      const { session, client } = wanted
      const entry = sessions.get(session)
      const cursor = cursorOf(id, wanted)
      if (entry ? entry.clients.length >= MOST : sessions.size >= MOST) refused.push(id)
      else if (!entry) sessions.set(session, { cursor, clients: [client] })
      else {
        entry.cursor = earlier(entry.cursor, cursor)
        if (!entry.clients.includes(client)) entry.clients.push(client)
      }
    }
    release(refused, (ids) => ({ type: 'alone', members: ids }))
    return [...sessions].map(([session, { cursor, clients }]) => ({
      session,
      clients,
      ...(cursor !== null && { cursor }),
    }))
  }

  function release(ids: readonly string[], message: (ids: readonly string[]) => LeaderMessage): void {
    for (const id of ids) members.delete(id)
    if (ids.length) broadcast(message(ids))
  }

  function fail(ids: readonly string[], error: TransportFailure): void {
    // A server without this route may still have the other one.
    const unknown = error.code === 'protocol' || error.code === 'not_found'
    release(ids, (those) => (unknown ? { type: 'alone', members: those } : { type: 'down', members: those, error }))
  }

  function renew(): void {
    env.clearTimeout(dropTimer)
    dropTimer = undefined
    again = !!next && env.now() - next.askedAt < HUNG_MS
    if (again || resting) return
    next?.connection?.close()
    next = undefined
    const sessions = collect()
    if (!sessions.length) return
    const stream: Stream = {
      id: env.id(),
      askedAt: env.now(),
      members: new Map(members),
      cursors: new Map(sessions.map(({ session, cursor = null }) => [session, cursor])),
    }
    next = stream
    const { id, cursors } = stream
    const of = (session: string) => [...members].filter(([, wanted]) => wanted.session === session).map(([id]) => id)
    const isNow = (act: () => void) => stream === current && act()
    stream.connection = open(sessions, {
      open() {
        next = undefined
        current?.connection?.close()
        current = stream
        broadcast({ type: 'opened', stream: id, members: still(stream) })
        if (again) renew()
      },
      events: (session, events) =>
        isNow(() => {
          cursors.set(session, events.at(-1)!.cursor)
          broadcast({ type: 'events', stream: id, session, events })
        }),
      malformed: (session, error) => isNow(() => broadcast({ type: 'malformed', stream: id, session, error })),
      alive: () => isNow(() => broadcast({ type: 'alive', stream: id })),
      reset: (session, reason) =>
        isNow(() => {
          // Each of its clients fetches a snapshot, and then requests the session again.
          release(of(session), () => ({ type: 'reset', stream: id, session, reason }))
        }),
      ended: (session) => isNow(() => fail(of(session), { code: 'ended', message: 'The server ended the session.' })),
      down(error) {
        if (resting) return
        const before = current
        if (stream === current) current = undefined
        if (stream === next) {
          next = undefined
          fail(
            still(stream).filter((member) => before?.members.get(member) !== members.get(member)),
            error,
          )
          if (again) renew()
        } else if (!next) fail([...members.keys()], error)
      },
    })
  }

  /** The members of a stream that have not changed since it was asked for. */
  const still = (stream: Stream) => [...stream.members].filter(([id, it]) => members.get(id) === it).map(([id]) => id)

  const stopOpening = () => {
    resting = true
    env.clearTimeout(dropTimer)
    next?.connection?.close()
    next = undefined
  }
  return {
    members,
    join(member, wanted) {
      members.set(member, wanted)
      broadcast({ type: 'here' })
      renew()
    },
    drop(member) {
      if (members.delete(member)) dropTimer ??= env.setTimeout(renew, DROP_MS)
    },
    stopOpening,
    close() {
      stopOpening()
      current?.connection?.close()
      current = undefined
    },
  }
}
