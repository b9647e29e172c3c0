import type { SendResult } from '../transport/types.ts'
import { type Core, errorOf, type Posted } from './core.ts'

const TRIES = 3
const PATIENCE_MS = 30_000

/**
 * Sends with patience, bounded: a lost network or a server that restarts is tried three times, "settling" and "slow
 * down" as long as the server asks, up to half a minute. All messages may be repeated: answers carry their id.
 */
export async function post(
  core: Core,
  send: (signal: AbortSignal) => Promise<SendResult>,
  timeoutMs = core.options.sendTimeoutMs ?? 20_000,
): Promise<Posted> {
  const { env, schedule } = core
  for (let tries = 1, waited = 0; ; tries++) {
    const result: Posted = core.phase === 'closed' ? { status: 0, body: undefined } : await once(core, send, timeoutMs)
    if (core.phase === 'closed' && !result.status) return { ...result, failure: 'client_closed' }
    const wait = pauseAfter(result, tries, env.random())
    waited += wait
    if (waited > PATIENCE_MS || (!result.status && !env.surroundings.online())) return result
    await new Promise<void>((resolve) => schedule.after(wait, resolve))
  }
}

/** A transport that ignores the signal must not keep an answer hanging: the time-out answers for it. */
function once({ schedule }: Core, send: (signal: AbortSignal) => Promise<SendResult>, timeoutMs: number) {
  return new Promise<Posted>((resolve) => {
    const abort = new AbortController()
    const end = (result: Posted) => {
      giveUp()
      resolve(result)
    }
    const giveUp = schedule.after(timeoutMs, () => {
      abort.abort()
      end({ status: 0, body: undefined, failure: 'timeout' })
    })
    send(abort.signal).then(end, () => end({ status: 0, body: undefined, failure: 'network' }))
  })
}

/** Milliseconds until the next try; Infinity: this is the answer. Pure. */
export function pauseAfter(result: Posted, tries: number, chance: number): number {
  const { status, retryAfterMs = 0 } = result
  const growing = 500 * 2 ** tries
  if (status === 429 || errorOf(result).code === 'settling') return Math.max(retryAfterMs, growing / 4) + chance * 500
  const again = (!status || (status >= 500 && status !== 501)) && tries < TRIES
  return again ? retryAfterMs + chance * growing : Number.POSITIVE_INFINITY
}
