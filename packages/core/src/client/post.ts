import { isObject } from '../json/guards.ts'
import type { SendResult } from '../transport/types.ts'
import { type Core, errorOf, isClosed, succeeded, unanswered } from './client-context.ts'

const TRIES = 3
const PATIENCE_MS = 30_000

/**
 * Sends a message with a limited number of retries: three times after a network failure or a server restart, and with
 * "settling" or "slow down" for as long as the server asks, up to half a minute. All messages may be repeated, because
 * answers carry their id. Only a body that `confirms` the message counts as success, because a proxy or a login page
 * answers 200 as well.
 */
export async function post(
  core: Core,
  send: (signal: AbortSignal) => Promise<SendResult>,
  confirms: (body: Record<string, unknown>) => boolean,
  timeoutMs = core.options.sendTimeoutMs ?? 20_000,
): Promise<SendResult> {
  const { env, schedule } = core
  for (let tries = 1, waited = 0; ; tries++) {
    const result = isClosed(core) ? unanswered('client_closed') : confirmed(await once(core, send, timeoutMs), confirms)
    const { status, retryAfterMs = 0 } = result
    const growing = 500 * 2 ** tries
    let wait = Number.POSITIVE_INFINITY
    if (status === 429 || errorOf(result).code === 'settling')
      wait = Math.max(retryAfterMs, growing / 4) + env.random() * 500
    else if ((status ? status >= 500 && status !== 501 : env.surroundings.online()) && tries < TRIES)
      wait = retryAfterMs + env.random() * growing
    waited += wait
    if (waited > PATIENCE_MS || isClosed(core)) return result
    await new Promise<void>((resolve) => schedule.after(wait, resolve))
  }
}

const confirmed = (result: SendResult, confirms: (body: Record<string, unknown>) => boolean) =>
  succeeded(result) && !(isObject(result.body) && confirms(result.body)) ? unanswered('protocol') : result

/** If a transport ignores the signal, the timeout settles the promise. */
function once(core: Core, send: (signal: AbortSignal) => Promise<SendResult>, timeoutMs: number) {
  return new Promise<SendResult>((resolve) => {
    const abort = new AbortController()
    const end = (result: SendResult) => {
      giveUp()
      resolve(result)
    }
    const giveUp = core.schedule.after(timeoutMs, () => {
      abort.abort()
      end(unanswered(isClosed(core) ? 'client_closed' : 'timeout'))
    })
    send(abort.signal).then(end, () => end(unanswered('network')))
  })
}
