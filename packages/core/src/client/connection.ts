import type { ConnectionState } from '../machine/state/types.ts'
import type { TransportFailure } from '../transport/types.ts'
import type { SurroundingsEvent } from './api/types.ts'

/**
 * The connection of one client as a value. Which work it should be doing, how long that may take, and what comes after
 * is decided here, without a clock, a timer or a network: `nextConnection(link, event, moment)`.
 */
export interface Link {
  readonly phase: 'idle' | 'snapshot' | 'opening' | 'open' | 'waiting' | 'resting' | 'offline' | 'closed'
  /** Goes up whenever other work begins; what reports under an older number is not listened to. */
  readonly work: number
  /** A snapshot has to come before the stream. */
  readonly stale: boolean
  /** When the phase began, or when the stream was last heard; and how many milliseconds it may go on so. */
  readonly since: number
  readonly patience: number
  readonly openedAt: number
  /** Failures in a row; an opening that did not last does not end the row. */
  readonly failures: number
  /** How often the session was not found since it was last connected. */
  readonly missing: number
  /** The last failure, unless it is nobody's business: a session may be asked for before its first message. */
  readonly failure?: TransportFailure | undefined
  /** Since when nobody looks at the page. */
  readonly hiddenAt: number
  /** Nobody has looked for long: the stream is held for moments only, or by another transport. */
  readonly slow: boolean
  readonly config: LinkConfig
}

/** In the words of the client's options. */
export interface LinkConfig {
  /** Silence after which a connection counts as dead: five of the server's heartbeats. */
  readonly heartbeatTimeoutMs: number
  readonly maxRetryDelayMs: number
  /** Hidden for so long, the connection becomes slow. */
  readonly slowAfterMs: number
  /** Slow: milliseconds between looks. 0: another transport takes over, and stays connected. */
  readonly restMs: number
}

/** What can happen to a link; a failure is one by itself. */
export type LinkEvent =
  | 'start'
  /** Somebody does not want to wait: "Try now". */
  | 'retry'
  | 'close'
  /** The last subscriber has left. */
  | 'unused'
  /** A snapshot came. */
  | 'snapshot'
  | 'open'
  | 'heard'
  /** The stream was not whole; the log may be. */
  | 'gap'
  /** Only a snapshot can help. */
  | 'reset'
  | 'tick'
  | SurroundingsEvent
  | TransportFailure

export interface Moment {
  now: number
  /** 0 ≤ chance < 1 */
  chance: number
}

export const NEVER = Number.POSITIVE_INFINITY
const RETRY_MS = 500
const NOT_YET_MS = 200
/** The longest pause before a session that was not found is asked for again. */
const MAX_NOT_YET_MS = 2_000
/** The longest pause of a page in sight, for the first minute or so of an outage. */
const IN_SIGHT_MS = 3_000
const IN_SIGHT_FAILURES = 40
/** An opening that lasted so long has worked. */
const PROVEN_MS = 5_000
/** How long a slow connection listens before it rests. */
const LOOK_MS = 3_000
/** A server that asks for more patience than this is not believed. */
const MAX_RETRY_AFTER_MS = 600_000

export const initialLink = (config: LinkConfig, stale: boolean): Link => ({
  phase: 'idle',
  work: 0,
  stale,
  since: 0,
  patience: NEVER,
  openedAt: 0,
  failures: 0,
  missing: 0,
  hiddenAt: NEVER,
  slow: false,
  config,
})

export function nextConnection(link: Link, event: LinkEvent, { now, chance }: Moment): Link {
  const { phase, config, since, patience, openedAt } = link
  const enter = (next: Link['phase'], ms: number, more?: Partial<Link>): Link => ({
    ...link,
    ...more,
    phase: next,
    work: link.work + 1,
    since: now,
    patience: ms,
  })
  const begin = (more: Partial<Link> = {}) =>
    enter((more.stale ?? link.stale) ? 'snapshot' : 'opening', config.heartbeatTimeoutMs, more)
  const failures = phase === 'open' && now - openedAt >= PROVEN_MS ? 1 : link.failures + 1
  const inSight = link.hiddenAt === NEVER && failures <= IN_SIGHT_FAILURES
  const growing = (ms: number, factor: number, cap = NEVER) =>
    Math.min(config.maxRetryDelayMs, cap, ms * factor ** failures)
  // Full jitter: after a deploy a thousand clients must not come back in step.
  const wait = (failure?: TransportFailure, more?: Partial<Link>) =>
    enter(
      'waiting',
      Math.min(failure?.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) +
        growing(RETRY_MS, 2, failure && inSight ? IN_SIGHT_MS : NEVER) * chance,
      {
        failures,
        failure,
        ...more,
      },
    )
  const some = 0.5 + chance / 2
  const asleep = phase === 'idle' || phase === 'closed'

  if (typeof event !== 'string')
    return event.code === 'not_found'
      ? enter('waiting', growing(NOT_YET_MS, 1.5, MAX_NOT_YET_MS) * some, {
          failures,
          failure: undefined,
          missing: link.missing + 1,
        })
      : wait(event)
  switch (event) {
    case 'start':
    case 'online':
    case 'thawed':
      // What a page that was put away held is gone, whatever it looks like.
      return (phase === 'open' && event !== 'thawed') || (asleep && event !== 'start') ? link : begin({ failures: 0 })
    case 'retry':
      // Also where the browser calls itself offline, which is not always so. An attempt that is under way continues.
      return phase === 'waiting' || phase === 'offline' || phase === 'resting' ? begin({ failures: 0 }) : link
    case 'close':
      return enter('closed', NEVER)
    case 'unused':
      return enter('idle', NEVER, { failures: 0, failure: undefined, openedAt: 0 })
    case 'offline':
      return asleep ? link : enter(event, NEVER)
    case 'frozen':
      // A page with an open connection is not kept for the back button.
      return asleep ? link : enter('resting', NEVER)
    case 'snapshot':
      return begin({ stale: false })
    case 'open':
      return { ...link, phase: event, since: now, openedAt: now, failure: undefined, missing: 0 }
    case 'heard':
      return { ...link, since: now }
    case 'gap':
    case 'reset': {
      const more = { stale: link.stale || event === 'reset' }
      if (asleep) return { ...link, ...more }
      // The first time at once; when that did not help, with growing pauses.
      return failures > 1 ? wait(undefined, more) : begin({ ...more, failures })
    }
    case 'hidden':
      return { ...link, hiddenAt: now }
    case 'visible': {
      const seen = { hiddenAt: NEVER, slow: false }
      // A page that comes back may hold a connection that died with the network it was on.
      const doubtful = link.slow || phase === 'waiting' || now - since > config.heartbeatTimeoutMs / 2
      return doubtful && !asleep && phase !== 'offline' ? begin(seen) : { ...link, ...seen }
    }
  }

  // A clock that was set back: do not wait for the old time to come again.
  const back = now < since
  const due = now - since >= patience
  if (patience === NEVER) return link
  if (phase === 'waiting' || phase === 'resting') return due || back ? begin() : link
  if (back) return { ...link, since: now, openedAt: Math.min(openedAt, now) }
  if (due) return wait({ code: 'silent', message: 'Nothing was heard from the server for too long.' })
  if (slowAt(link) > now) return link
  return config.restMs ? enter('resting', config.restMs * some, { slow: true }) : begin({ slow: true })
}

/** When an open connection becomes slow, or rests again. */
const slowAt = ({ phase, hiddenAt, openedAt, slow, config }: Link): number =>
  phase !== 'open' || (slow && !config.restMs) ? NEVER : Math.max(hiddenAt + config.slowAfterMs, openedAt + LOOK_MS)

/** When to look again with `tick`; Infinity: never by itself. */
export const wakeAt = (link: Link): number => Math.min(link.since + link.patience, slowAt(link))

/** What people are told of it. */
export function connectionOf({ phase, failures, failure, since, patience, openedAt }: Link): ConnectionState {
  const open = phase === 'open' || phase === 'resting'
  const refused = failure?.code === 'unauthorized' || failure?.code === 'forbidden'
  const trying = refused ? 'unauthorized' : failure || openedAt ? 'reconnecting' : 'connecting'
  return {
    status: phase === 'closed' || phase === 'offline' ? phase : open ? 'open' : trying,
    attempt: open || !failure ? 0 : failures,
    retryAt: phase === 'waiting' && failure ? since + patience : undefined,
    error: failure,
  }
}
