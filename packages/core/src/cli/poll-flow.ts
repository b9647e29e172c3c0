import type { ClientEnvironment } from '../client/api/types.ts'
import { HoldpointError, isHoldpointError } from '../error.ts'
import { callService, type Json } from './call-service.ts'

export interface PollOptions {
  env: ClientEnvironment
  baseUrl: string
  state: string
  /** Only the client that began a flow has it. */
  pollSecret: string | undefined
  intervalMs: number
  expiresInMs: number
  onPending?: ((info: { waitedMs: number; nextInMs: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Seconds added permanently to the interval each time the service reports `slow_down` (RFC 8628). */
const SLOWER_MS = 5_000

/** A request that hangs is repeated. */
const ANSWER_MS = 20_000

/** Polls, one request at a time, until a flow has ended. Resolves with the completed response. */
export async function pollFlow(options: PollOptions): Promise<Json> {
  const { env, baseUrl, state, pollSecret, expiresInMs, onPending, signal } = options
  let { intervalMs } = options
  const began = env.now()
  for (let nextInMs = intervalMs; ; nextInMs = intervalMs) {
    onPending?.({ waitedMs: env.now() - began, nextInMs })
    await pause(env, nextInMs, signal)
    if (env.now() - began > expiresInMs) throw expired()
    const answer = await callService(env.fetch, {
      baseUrl,
      path: `/auth/status/${encodeURIComponent(state)}`,
      method: 'GET',
      headers: pollSecret ? { authorization: `Bearer ${pollSecret}` } : {},
      signal,
      timeoutMs: ANSWER_MS,
    }).catch((error: unknown) => {
      // A temporary network failure does not end the flow.
      if (isHoldpointError(error, 'not_reachable')) return null
      throw error
    })
    if (!answer || answer.status >= 500) continue
    const { status, body, retryAfterMs = 0 } = answer
    if (status === 429 || body.status === 'slow_down' || body.error === 'slow_down') {
      intervalMs = Math.max(intervalMs + SLOWER_MS, seconds(body.interval), retryAfterMs)
    } else if (status !== 200) {
      throw expired()
    } else if (body.status === 'completed') {
      return body
    } else if (body.status !== 'pending') {
      throw ended(body)
    } else {
      intervalMs = Math.max(intervalMs, seconds(body.interval))
    }
  }
}

function seconds(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value * 1000 : 0
}

function expired(): HoldpointError {
  return new HoldpointError('connect_expired', 'The account was not authorized in time. Start it again.')
}

function ended({ status, error, message }: Json): HoldpointError {
  const details = typeof error === 'string' ? { error } : {}
  if (status === 'denied') return new HoldpointError('connect_denied', 'Access was denied.', { details })
  const reason = typeof message === 'string' ? message : 'The account could not be connected.'
  return new HoldpointError('connect_failed', `${reason} Start it again.`, { details })
}

function pause(env: ClientEnvironment, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason)
    const stop = () => {
      env.clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = env.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
