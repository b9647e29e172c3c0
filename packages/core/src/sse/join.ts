import type { BrowserTabs } from '../dom-types.ts'
import type { HttpInit } from '../transport/http.ts'
import type { TransportConnection, TransportContext, TransportListener } from '../transport/types.ts'
import type { parseCursor } from '../wire/events/cursor.ts'
import { bySession, type OpenShared } from './by-session.ts'
import { createLeader, type Leader } from './leader.ts'
import type { LeaderMessage, MemberMessage, TabMessage, Wanted } from './messages.ts'
import type { StreamListener } from './open-stream.ts'

/** The data that a connection needs to share a stream with others. */
export interface Joining {
  context: TransportContext
  cursor: string | null
  listener: TransportListener
  tabs: BrowserTabs
  /** Opens a stream for this connection only. */
  alone(cursor: string | null): void
  /** The headers of the page as they are now. */
  headers(): Promise<Headers>
  /** The name of the tabs that share a stream, for tabs with these headers. */
  groupOf(headers: Headers): string
  /** A function of the first bundle: an import would make a chunk of its own. */
  parseCursor: typeof parseCursor
  /** Opens a stream with these headers. */
  open(headers: () => Promise<Headers>, path: string, listener: StreamListener, init: HttpInit): TransportConnection
}

/** The interval at which a member checks whether the leader still sends messages. */
const LOOK_MS = 5_000
/** The number of checks without a message after which a member asks the leader. */
const LOOKS = 2
/** A leader that does not answer within this time is frozen, and loses its place. */
const ANSWER_MS = 3_000
/** How long a leader that leaves keeps its stream open for the other members while the next leader opens its own. */
const HAND_OVER_MS = 2_000

/**
 * Joins the connections of all tabs that may share a stream. The holder of a Web Lock is their leader: it holds the
 * stream and passes its events on. Returns a function that leaves.
 */
export async function join(joining: Joining): Promise<() => void> {
  const { context, listener, tabs, alone } = joining
  const { env } = context
  const name = joining.groupOf(await joining.headers())
  const channel = tabs.channel(name, (message) => receive(message as TabMessage))
  const id = env.id()
  const wanted = (): Wanted => ({ session: context.sessionId, client: context.clientId, cursor })
  let { cursor } = joining
  let leader: Leader | undefined
  let stream: string | undefined
  let open = false
  let left = false
  let quiet = 0
  let timer: unknown
  let release = () => {}
  let waiting = new AbortController()
  const unwatch = tabs.whenStopped(() => {
    listener.down({ code: 'ended', message: 'The page was put away.' })
    finish()
  })

  const post = (message: LeaderMessage | MemberMessage) => channel.post({ ...message, from: id })
  const requestSession = () => post({ type: 'want', ...wanted() })

  /** Sends a message to all members, including the leader's own tab. A leader without members needs no channel. */
  function broadcast(message: LeaderMessage): void {
    const often = message.type === 'events' || message.type === 'alive' || message.type === 'malformed'
    if (!often || !leader || leader.members.size > (leader.members.has(id) ? 1 : 0)) post(message)
    apply(message)
  }

  function receive(message: TabMessage): void {
    if (left) {
      if (message.type === 'opened') finish()
    } else if (message.type === 'want') leader?.join(message.from, message)
    else if (message.type === 'drop') leader?.drop(message.from)
    else if (message.type === 'ping') {
      if (leader) post({ type: 'here' })
    } else if (!leader) {
      quiet = 0
      if (message.type === 'lead') requestSession()
      apply(message)
    }
    // The leader before this one passes events on until the new stream is open.
    else if ('stream' in message && message.type !== 'opened') apply(message)
  }

  function apply(message: LeaderMessage): void {
    if (left) return
    if ('members' in message && !message.members.includes(id)) return
    if ('stream' in message && message.type !== 'opened' && message.stream !== stream) return
    if ('session' in message && message.session !== context.sessionId) return
    if (message.type === 'opened') {
      // Events of a stream that was opened before this member asked would leave a gap.
      stream = message.stream
      if (!open) listener.open()
      open = true
    } else if (message.type === 'events') {
      cursor = message.events.at(-1)!.cursor
      listener.events(message.events)
    } else if (message.type === 'reset') listener.reset(message.reason)
    else if (message.type === 'malformed') listener.malformed(message.error)
    else if (message.type === 'alive') listener.alive()
    else if (message.type === 'down') listener.down(message.error)
    else if (message.type === 'alone') {
      leave()
      alone(cursor)
    }
  }

  /** Runs while this member holds the lock. */
  function lead(): Promise<void> | undefined {
    if (left) return
    env.clearTimeout(timer)
    leader?.close()
    const headersNow = async () => {
      const headers = await joining.headers()
      if (joining.groupOf(headers) === name) return headers
      // Another user has logged in on this page, or the token of the page is new. The other pages continue with the next leader.
      listener.down({ code: 'ended', message: 'The credentials of the page have changed.' })
      throw new Error('The credentials of the page have changed.')
    }
    const open: OpenShared = (sessions, shared) =>
      joining.open(headersNow, '/sessions/events', bySession(shared), { method: 'POST', body: { sessions } })
    leader = createLeader(env, open, broadcast, joining.parseCursor)
    post({ type: 'lead' })
    leader.join(id, wanted())
    return new Promise((resolve) => {
      release = resolve
    })
  }

  function follow(): void {
    if (left) return
    requestSession()
    // The leader responds to a request for a session at once.
    quiet = LOOKS
    watch(ANSWER_MS)
    waiting = new AbortController()
    leadWhileLocked({ signal: waiting.signal }).catch(() => {})
  }

  function watch(ms: number): void {
    env.clearTimeout(timer)
    timer = env.setTimeout(() => {
      if (left || leader) return
      quiet++
      if (quiet > LOOKS) return steal()
      if (quiet === LOOKS) post({ type: 'ping' })
      watch(quiet === LOOKS ? ANSWER_MS : LOOK_MS)
    }, ms)
  }

  function steal(): void {
    waiting.abort()
    leadWhileLocked({ steal: true }).catch(() => {})
  }

  /** Leads while this member holds the lock. Rejects if it never got the lock. */
  async function leadWhileLocked(how: { signal?: AbortSignal; steal?: boolean; ifAvailable?: boolean }): Promise<void> {
    let mine: Leader | undefined
    try {
      await tabs.locks.request(name, how, (lock) => {
        if (!lock) return void follow()
        const led = lead()
        mine = leader
        return led
      })
    } catch (error) {
      if (!mine) throw error
      // Another member stole the lock, because this page did not answer.
      mine.close()
      if (left || leader !== mine) return
      leader = undefined
      follow()
    }
  }

  function leave(): void {
    if (left) return
    left = true
    env.clearTimeout(timer)
    waiting.abort()
    leader?.drop(id)
    leader?.stopOpening()
    release()
    if (leader?.members.size) timer = env.setTimeout(finish, HAND_OVER_MS)
    else {
      post({ type: 'drop' })
      finish()
    }
  }

  function finish(): void {
    if (!left) return
    env.clearTimeout(timer)
    unwatch()
    leader?.close()
    channel.close()
  }

  leadWhileLocked({ ifAvailable: true }).catch(() => {
    // A page without an origin has the lock manager, and may not use it.
    leave()
    alone(cursor)
  })
  return leave
}
