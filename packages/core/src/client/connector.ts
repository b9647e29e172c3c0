import { applyEvents } from '../machine/apply/apply-events.ts'
import { applyReset, applySnapshot, enterLog } from '../machine/apply/apply-snapshot.ts'
import { update } from '../machine/apply/batch.ts'
import { keep } from '../machine/state/structural-sharing.ts'
import { networkFailure, statusFailure } from '../transport/http.ts'
import type { Transport, TransportListener } from '../transport/types.ts'
import { decodeSnapshot } from '../wire/events/decode-snapshot.ts'
import type { ClientEnvironment } from './api/types.ts'
import type { Core } from './client-context.ts'
import { connectionOf, initialLink, type LinkEvent, NEVER, nextConnection, wakeAt } from './connection.ts'

/**
 * The number of 404 responses, about 5 to 10 seconds, before `not_found` is reported: a page may load before a message
 * creates its session.
 */
const TELL_MISSING = 8

/** A hidden tab costs nothing if all tabs read over one connection. */
const slowAfterMs = (transport: Transport, env: ClientEnvironment): number => {
  if (transport.sharesStream?.(env)) return NEVER
  return transport.holdsRequest && env.surroundings.scarce?.() ? 0 : 300_000
}

/** Executes the decisions of the link: one piece of work at a time, and one timer. */
export function createConnector(core: Core, opened: () => void): (event: LinkEvent) => void {
  const { env, context, schedule, options, apply } = core
  const { transport, whenHidden, onProblem, history } = options
  const problem: NonNullable<typeof onProblem> = (what) => onProblem?.(what)
  /** True once a snapshot has named the principal. With the history `log`, the rest of a snapshot is not needed. */
  const known = () => !!core.state.you
  const begun = () => history === 'log' || core.state.cursor !== null
  let link = initialLink(
    {
      heartbeatTimeoutMs: 45_000,
      maxRetryDelayMs: 30_000,
      slowAfterMs: slowAfterMs(transport, env),
      restMs: whenHidden ? 0 : 30_000,
      ...options,
    },
    !known() || !begun(),
  )
  let stop = () => {}
  let unwake = () => {}
  let wakesAt = NEVER
  let gapAfter: string | null | undefined

  function dispatch(event: LinkEvent): void {
    const before = link
    link = nextConnection(before, event, { now: env.now(), chance: env.random() })
    const { work } = link
    const moved = work !== before.work
    if (moved) {
      stop()
      stop = () => {}
    }
    if (event !== 'received') apply(update(core.state, { connection: keep(core.state.connection, connectionOf(link)) }))
    if (link.missing === TELL_MISSING && before.missing < link.missing)
      problem({
        code: 'not_found',
        message: `No session ${context.sessionId}: it does not exist yet, belongs to another user (check sessionId and user), or the server is not mounted at this url. The client retries.`,
      })
    // A listener may have started other work already.
    if (link.work !== work) return
    wake()
    if (!moved) return
    if (link.phase === 'snapshot') takeSnapshot(work)
    if (link.phase === 'opening') openStream(work)
  }

  /** An early check does no harm. Bytes from the server only move the deadline, so they need no new timer. */
  function wake(): void {
    const at = wakeAt(link)
    if (at >= wakesAt) return
    unwake()
    wakesAt = at
    unwake = schedule.after(at - env.now(), () => {
      wakesAt = NEVER
      dispatch('tick')
    })
  }

  /** Ignores callbacks of work that has ended. */
  const during =
    <A extends unknown[]>(work: number, act: (...args: A) => void) =>
    (...args: A) => {
      if (link.work === work) act(...args)
    }

  function takeSnapshot(work: number): void {
    const abort = new AbortController()
    const log = !known() && begun()
    stop = () => abort.abort()
    transport.snapshot(context, abort.signal).then(
      during(work, (result) => {
        if (result.status !== 200) return dispatch(statusFailure(result))
        const decoded = decodeSnapshot(result.body)
        if (!decoded.ok) return dispatch({ ...decoded.problem, code: 'protocol' })
        decoded.value.problems.forEach(problem)
        const { cursor, ready } = core.state
        apply((log ? enterLog : applySnapshot)(core.state, decoded.value.snapshot, env.now()))
        // The state is complete again. Hosts that read the log itself must learn that a part of it is missing.
        if (ready && cursor !== core.state.cursor)
          problem({
            code: 'events_skipped',
            message: 'Events were skipped: the session was read again from a snapshot.',
          })
        during(work, dispatch)('snapshot')
      }),
      during(work, (error) => dispatch(networkFailure(error))),
    )
  }

  function openStream(work: number): void {
    let unread = 0
    const listener: TransportListener = {
      open: during(work, () => {
        dispatch('open')
        if (!link.slow) opened()
      }),
      events: during(work, (events) => {
        dispatch('received')
        apply(applyEvents(core.state, events, unread))
        unread = 0
      }),
      reset: during(work, (reason) => {
        apply(applyReset(core.state, reason))
        dispatch('reset')
      }),
      alive: during(work, () => dispatch('received')),
      malformed: during(work, (error) => {
        unread++
        problem(error)
      }),
      down: during(work, dispatch),
    }
    try {
      const connection = ((link.slow && whenHidden) || transport).connect(context, core.state.cursor, listener)
      if (link.work === work) stop = () => connection.close()
      else connection.close()
    } catch (error) {
      listener.down(networkFailure(error))
    }
  }

  return (event) => {
    if (event !== 'gap') return dispatch(event)
    // Continuing from this cursor has failed before.
    dispatch(gapAfter === core.state.cursor ? 'reset' : event)
    gapAfter = core.state.cursor
  }
}
