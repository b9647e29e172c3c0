import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { Principal } from '../base/principal.ts'
import { taggedPages } from '../store/every-page.ts'
import { changeRow, parse, type RowDeps, readRow } from '../store/shared/change-row.ts'
import { hashOf, hmacHex, randomToken, sameText } from './hashes.ts'
import { createJwt, hmacKey, hmacSecret, type VerifiedClaims } from './jwt.ts'
import { familyRef, userPartition } from './keys.ts'
import { decideRefresh, type FamilyRow, familyEnd, type RefreshTimes } from './refresh-decision.ts'

export interface SessionTokenOptions {
  /**
   * Secrets of at least 32 bytes each. The first one signs, all verify. Keep a replaced one in the list for 30 days.
   */
  secrets: readonly (string | Uint8Array)[]
  issuer: string
  audience?: string
  now: () => number
  /**
   * The lifetime of a session token.
   *
   * @default 30 minutes
   */
  lifetimeSeconds?: number
  /**
   * The lifetimes of refresh tokens.
   *
   * @default 7 days idle, 30 days in total, 10 seconds of grace
   */
  refresh?: Partial<RefreshTimes>
  /** Called when an old refresh token was used after the grace time, and its family was ended. */
  onReuse?: (who: { userId: string; sessionId: string; familyId: string }) => void
}

export interface TokenPair {
  token: string
  refreshToken: string
}

/** The user and session of a session token. */
export interface SessionBearer {
  principal: Principal
  sessionId: string
  familyId: string
}

const DAY = 24 * 60 * 60 * 1000
const REFRESH_TOKEN = /^([0-9a-f]{32})([0-9a-f]{8})([0-9a-f]{64})$/

/** Issues session tokens for 30 minutes, and rotates their refresh tokens. */
export type SessionTokens = ReturnType<typeof createSessionTokens>

export function createSessionTokens(deps: RowDeps, options: SessionTokenOptions) {
  const times = { idleMs: 7 * DAY, maxMs: 30 * DAY, graceMs: 10_000, ...options.refresh }
  const jwt = createJwt({
    secrets: options.secrets,
    typ: 'holdpoint-session+jwt',
    issuer: options.issuer,
    audience: options.audience ?? options.issuer,
    lifetimeSeconds: options.lifetimeSeconds ?? 30 * 60,
    now: options.now,
  })
  const secrets = options.secrets.map(hmacSecret)
  let keys: Promise<CryptoKey[]> | undefined
  const refreshKeys = () => {
    keys ??= Promise.all(secrets.map(hmacKey))
    return keys
  }

  /**
   * Derives a refresh token from the row of its family. Tokens are not stored, and a repeated request gets the same
   * token.
   */
  const refreshTokenOf = async (key: CryptoKey, familyId: string, row: FamilyRow, generation: number) => {
    const counter = generation.toString(16).padStart(8, '0')
    return `${familyId}${counter}${await hmacHex(key, `refresh|${familyId}|${counter}|${row.seed}`)}`
  }

  const pairOf = async (familyId: string, row: FamilyRow): Promise<TokenPair> => {
    const [key] = await refreshKeys()
    if (!key) throw unknown()
    const made = row.madeAt.at(-1) ?? row.createdAt
    const token = await jwt.sign({
      sub: row.userId,
      jti: `${familyId}.${row.generation}`,
      iat: Math.floor(made / 1000),
      sid: row.sessionId,
      ...(row.tenant !== undefined && { tenant: row.tenant }),
    })
    return { token, refreshToken: await refreshTokenOf(key, familyId, row, row.generation) }
  }

  const isGenuine = async (familyId: string, row: FamilyRow, generation: number, token: string) => {
    for (const key of await refreshKeys()) {
      if (sameText(await refreshTokenOf(key, familyId, row, generation), token)) return true
    }
    return false
  }

  const revoke = (familyId: string, why: NonNullable<FamilyRow['revoked']>) =>
    changeRow<FamilyRow, void>(deps, familyRef(familyId), (row) =>
      row && !row.revoked ? { ...kept({ ...row, revoked: why }), result: undefined } : { result: undefined },
    )

  const kept = (row: FamilyRow) => ({ put: row, due: familyEnd(row, times), tags: [userPartition(row)] })

  /** Returns the family and the number of a refresh token, or throws `refresh_token_invalid`. */
  const readToken = (refreshToken: string) => {
    const [, familyId, counter] = REFRESH_TOKEN.exec(refreshToken) ?? []
    if (!familyId || !counter) throw unknown()
    return { familyId, generation: Number.parseInt(counter, 16) }
  }

  return {
    /** Starts a family. The same `familyId` returns the same first pair until it is used. */
    async issue(principal: Principal, sessionId: string, familyId: string): Promise<TokenPair | null> {
      const seed = randomToken(deps.environment.randomBytes)
      const row = await changeRow<FamilyRow, FamilyRow>(deps, familyRef(familyId), (existing, now) => {
        if (existing) return { result: existing }
        const { userId, tenant } = principal
        const owner = { userId, ...(tenant !== undefined && { tenant }) }
        const made = { ...owner, sessionId, createdAt: now, generation: 0, madeAt: [now], seed }
        return { ...kept(made), result: made }
      })
      return row.generation === 0 && !row.revoked ? pairOf(familyId, row) : null
    },

    /**
     * Rotates the tokens of a family. A previous token that is used again within the grace time gets the current pair,
     * byte for byte.
     */
    async refresh(refreshToken: string): Promise<TokenPair> {
      const { familyId, generation } = readToken(refreshToken)
      const ref = familyRef(familyId)
      const { row: before } = await readRow<FamilyRow>(deps.store, ref)
      if (!before || !(await isGenuine(familyId, before, generation, refreshToken))) throw unknown()
      const { decision, row } = await changeRow(deps, ref, (existing: FamilyRow | null, now) => {
        if (!existing) throw unknown()
        const decided = decideRefresh(existing, generation, now, times)
        const written = decided.kind === 'rotate' || decided.kind === 'revoke' ? decided.row : existing
        return { ...(written !== existing && kept(written)), result: { decision: decided.kind, row: written } }
      })
      if (decision === 'rotate' || decision === 'repeat') return pairOf(familyId, row)
      if (decision === 'expired') {
        throw new HoldpointError('refresh_token_expired', 'The session has expired. Connect a service again.')
      }
      if (decision === 'revoke') options.onReuse?.({ userId: row.userId, sessionId: row.sessionId, familyId })
      throw new HoldpointError(
        'refresh_token_reused',
        'The session was ended: it was logged out, or an old refresh token was used again. Connect a service again.',
      )
    },

    /** Returns the user and session of a session token. Rejects if the session was logged out. */
    async verify(token: string): Promise<SessionBearer> {
      const claims = await jwt.verify(token)
      const bearer = bearerOf(claims)
      const { row } = await readRow<FamilyRow>(deps.store, familyRef(bearer.familyId))
      if (!row || row.revoked) {
        throw new HoldpointError('token_revoked', 'This session was logged out. Connect a service again.')
      }
      return bearer
    },

    logout: (familyId: string) => revoke(familyId, 'logout'),

    /** Revokes the family of a refresh token, for clients without a session token. */
    async logoutByRefreshToken(refreshToken: string): Promise<void> {
      const { familyId, generation } = readToken(refreshToken)
      const { row } = await readRow<FamilyRow>(deps.store, familyRef(familyId))
      if (!row || !(await isGenuine(familyId, row, generation, refreshToken))) throw unknown()
      await revoke(familyId, 'logout')
    },

    /** Revokes all families of a user. */
    async logoutUser(principal: Principal): Promise<void> {
      for await (const { rows } of taggedPages(deps.store, userPartition(principal))) {
        for (const row of rows) {
          if (row.kind !== 'conn_family' || parse<FamilyRow>(row.data).revoked) continue
          await revoke(decodeURIComponent(row.partition.split('/').at(-1) ?? ''), 'logout')
        }
      }
    },

    /** Derives an id for `issue` from a text that only its owner knows. */
    familyIdFrom: async (text: string) => (await hashOf(`family|${text}`)).slice(0, 32),
  }
}

function bearerOf(claims: VerifiedClaims): SessionBearer {
  const { sub, sid, tenant } = claims
  const familyId = claims.jti.split('.', 1)[0] ?? ''
  if (typeof sid !== 'string') throw new HoldpointError('token_invalid', 'The token is not a session token.')
  return {
    principal: { userId: sub, ...(typeof tenant === 'string' && { tenant }) },
    sessionId: sid,
    familyId,
  }
}

/** Returns true for the errors of an invalid bearer or refresh token. */
export function isTokenRefusal(error: unknown): boolean {
  return isHoldpointError(error) && /^(refresh_)?token_/.test(error.code)
}

function unknown(): HoldpointError {
  return new HoldpointError('refresh_token_invalid', 'This refresh token is not one of ours. Connect a service again.')
}
