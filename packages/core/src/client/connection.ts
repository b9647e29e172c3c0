import type { ConnectionState } from '../machine/state/types.ts'
import type { TransportFailure } from '../transport/types.ts'
import type { SurroundingsEvent } from './api/types.ts'

/**
 * The connection of one client as a value. `nextConnection(link, event, moment)` decides what to do next, how long that
 * may take, and what follows, without a clock, a timer or a network.
 */
export interface Link {
  readonly phase: 'idle' | 'snapshot' | 'opening' | 'open' | 'waiting' | 'resting' | 'offline' | 'closed'
  /** Increases with each new piece of work. Reports of an older number are ignored. */
  readonly work: number
  /** A snapshot is needed before the stream. */
  readonly stale: boolean
  /** When the phase began or the stream last sent something, and how many milliseconds of patience remain from then. */
  readonly since: number
  readonly patience: number
  readonly openedAt: number
  /** Failures in a row. A connection that did not last does not end the row. */
  readonly failures: number
  /** How often the session was not found since the last connection. */
  readonly missing: number
  /**
   * The last failure. Empty while a missing session is expected, because a page may load before the first message of
   * its session.
   */
  readonly failure?: TransportFailure | undefined
  /** When the page was hidden. */
  readonly hiddenAt: number
  /** The page has been hidden for long: the stream is held for short checks only, or by another transport. */
  readonly slow: boolean
  readonly config: LinkConfig
}

/** The options of the client, with their names. */
export interface LinkConfig {
  /** The time without a byte after which a connection counts as dead: five heartbeats of the server. */
  readonly heartbeatTimeoutMs: number
  readonly maxRetryDelayMs: number
  /** The time after which a hidden page makes the connection slow. */
  readonly slowAfterMs: number
  /** Milliseconds between two checks of a slow connection. 0: another transport is used and stays connected. */
  readonly restMs: number
}

/** The events of a link. A failure is an event by itself. */
export type LinkEvent =
  | 'start'
  /** The user does not want to wait: "Try now". */
  | 'retry'
  | 'close'
  /** The last subscriber has left. */
  | 'unused'
  /** A snapshot arrived. */
  | 'snapshot'
  | 'open'
  | 'received'
  /** An event is missing in the stream; the log may be complete. */
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
/** The longest pause before a missing session is requested again. */
const MAX_NOT_YET_MS = 2_000
/** The longest pause of a visible page in about the first minute of an outage. */
const IN_SIGHT_MS = 3_000
const IN_SIGHT_FAILURES = 40
/** A connection that lasted this long counts as working. */
const PROVEN_MS = 5_000
/** How long a slow connection listens before it pauses. */
const LOOK_MS = 3_000
/** The longest Retry-After that the client accepts. */
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
  const connect = (more: Partial<Link> = {}) =>
    enter((more.stale ?? link.stale) ? 'snapshot' : 'opening', config.heartbeatTimeoutMs, more)
  const failures = phase === 'open' && now - openedAt >= PROVEN_MS ? 1 : link.failures + 1
  const inSight = link.hiddenAt === NEVER && failures <= IN_SIGHT_FAILURES
  const growing = (ms: number, factor: number, cap = NEVER) =>
    Math.min(config.maxRetryDelayMs, cap, ms * factor ** failures)
  // Full jitter, so that a thousand clients do not reconnect at the same time after a deployment.
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
      // The connection of a page in the back-forward cache is gone, even if it still looks open.
      return (phase === 'open' && event !== 'thawed') || (asleep && event !== 'start') ? link : connect({ failures: 0 })
    case 'retry':
      // Also if the browser reports that it is offline, which is not always true. An attempt that is under way
      // continues.
      return phase === 'waiting' || phase === 'offline' || phase === 'resting' ? connect({ failures: 0 }) : link
    case 'close':
      return enter('closed', NEVER)
    case 'unused':
      return enter('idle', NEVER, { failures: 0, failure: undefined, openedAt: 0 })
    case 'offline':
      return asleep ? link : enter(event, NEVER)
    case 'frozen':
      // Browsers do not put a page with an open connection into the back-forward cache.
      return asleep ? link : enter('resting', NEVER)
    case 'snapshot':
      return connect({ stale: false })
    case 'open':
      return { ...link, phase: event, since: now, openedAt: now, failure: undefined, missing: 0 }
    case 'received':
      return { ...link, since: now }
    case 'gap':
    case 'reset': {
      const more = { stale: link.stale || event === 'reset' }
      if (asleep) return { ...link, ...more }
      // The first repair happens at once, and later ones with growing pauses.
      return failures > 1 ? wait(undefined, more) : connect({ ...more, failures })
    }
    case 'hidden':
      return { ...link, hiddenAt: now }
    case 'visible': {
      const seen = { hiddenAt: NEVER, slow: false }
      // A page that becomes visible may hold a connection that died with its network.
      const doubtful = link.slow || phase === 'waiting' || now - since > config.heartbeatTimeoutMs / 2
      return doubtful && !asleep && phase !== 'offline' ? connect(seen) : { ...link, ...seen }
    }
  }

  // The clock was set back: do not wait until the old time is reached again.
  const back = now < since
  const due = now - since >= patience
  if (patience === NEVER) return link
  if (phase === 'waiting' || phase === 'resting') return due || back ? connect() : link
  if (back) return { ...link, since: now, openedAt: Math.min(openedAt, now) }
  if (due) return wait({ code: 'silent', message: 'The server was silent for too long.' })
  if (slowAt(link) > now) return link
  return config.restMs ? enter('resting', config.restMs * some, { slow: true }) : connect({ slow: true })
}

/** When an open connection becomes slow, or pauses again. */
const slowAt = ({ phase, hiddenAt, openedAt, slow, config }: Link): number =>
  phase !== 'open' || (slow && !config.restMs) ? NEVER : Math.max(hiddenAt + config.slowAfterMs, openedAt + LOOK_MS)

/** When to call `tick` next. Infinity means that no time is planned. */
export const wakeAt = (link: Link): number => Math.min(link.since + link.patience, slowAt(link))

/** The connection as the state shows it. */
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
