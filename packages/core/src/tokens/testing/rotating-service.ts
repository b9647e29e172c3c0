import type { TokenSet } from '../types.ts'

type Fault = 'network' | 'lost-answer' | 'server-error' | 'hang'

/**
 * A token service that rotates refresh tokens and revokes everything when one is used twice, with or without a grace
 * window in which the current pair is given out again.
 */
export function rotatingService({
  now,
  graceMs = 0,
  lifetimeMs = 1_800_000,
}: {
  now(): number
  graceMs?: number
  lifetimeMs?: number
}) {
  let generation = 0
  let rotatedAt = -Infinity
  let revoked = false
  const faults: Fault[] = []
  let gate: Promise<void> | null = null
  const seen: (string | undefined)[] = []
  const pair = (): TokenSet => ({
    accessToken: `access-${generation}`,
    refreshToken: `refresh-${generation}`,
    obtainedAt: now(),
    expiresAt: now() + lifetimeMs,
  })
  const refused = () => Object.assign(new Error('refused'), { code: 'invalid_grant', status: 400 })

  return {
    /** The refresh tokens that were presented. */
    seen,
    fail: (...next: Fault[]) => void faults.push(...next),
    revoke: () => {
      revoked = true
    },
    isRevoked: () => revoked,
    first: pair,
    accepts: (token: string) => !revoked && token === `access-${generation}`,
    /** Holds answers back until the returned function is called. */
    pause() {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return () => {
        gate = null
        open()
      }
    },
    async refresh(tokens: TokenSet | null, { signal }: { signal: AbortSignal }): Promise<TokenSet> {
      seen.push(tokens?.refreshToken)
      const fault = faults.shift()
      if (fault === 'network') throw new TypeError('fetch failed')
      if (fault === 'server-error') throw Object.assign(new Error('busy'), { status: 503 })
      if (fault === 'hang')
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      if (gate) await gate
      const presented = Number(tokens?.refreshToken?.split('-')[1])
      if (revoked) throw refused()
      if (presented === generation) {
        generation++
        rotatedAt = now()
      } else if (presented !== generation - 1 || now() - rotatedAt > graceMs) {
        revoked = true
        throw refused()
      }
      if (fault === 'lost-answer') throw new TypeError('fetch failed')
      return pair()
    },
  }
}
