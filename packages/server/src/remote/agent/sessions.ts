import { hashOf, randomToken, sameText } from '../../security/hashes.ts'
import type { Sealed, Vault } from '../../security/vault.ts'
import type { RowRef } from '../../store/port.ts'
import { changeRow, type RowDeps, readRow } from '../../store/shared/change-row.ts'
import type { WebhookTarget } from '../../webhooks/send.ts'

export interface SessionRow {
  /** The hashes of the tokens that open the stream. */
  tokens: { hash: string; until: number }[]
  /** The address of the back end's webhook and its signing secret. */
  webhook: Sealed
  /** The latest run, so that a repeated request with the same prompt id finds it. */
  run?: { id: string; promptId?: string; from: number; epoch: string }
}

export interface SessionDeps extends RowDeps {
  vault: Vault
  lifetimeMs: number
}

/** The maximum number of valid tokens of a session, one for each tab. */
const TOKENS = 5

/** Returns the partition of a session, which has its row and its log of parts. */
export const agentPartition = (sessionId: string) => `remote-agent/${encodeURIComponent(sessionId)}`

const refOf = (sessionId: string): RowRef => ({
  partition: agentPartition(sessionId),
  kind: 'remote_session',
  id: 'session',
})
const boundTo = (sessionId: string) => ['remote-agent', sessionId]

/** Creates a session or refreshes it, with a new token and the latest webhook for its messages. */
export async function openSession(
  deps: SessionDeps,
  sessionId: string,
  webhook: { url: string; secret: string },
): Promise<{ token: string; expiresInMs: number }> {
  const token = `stream_${randomToken(deps.environment.randomBytes)}`
  const hash = await hashOf(token)
  const sealed = await deps.vault.seal(JSON.stringify(webhook), boundTo(sessionId))
  await changeRow<SessionRow, void>(deps, refOf(sessionId), (row, now) => {
    const living = (row?.tokens ?? []).filter((one) => now < one.until && one.hash !== hash).slice(1 - TOKENS)
    const tokens = [...living, { hash, until: now + deps.lifetimeMs }]
    return { put: { ...row, tokens, webhook: sealed }, result: undefined }
  })
  return { token, expiresInMs: deps.lifetimeMs }
}

/** Returns the session that a token opens. Returns null for a missing session as well as for a wrong token. */
export async function sessionOfToken(
  deps: SessionDeps,
  sessionId: string,
  token: string | null,
): Promise<SessionRow | null> {
  const hash = await hashOf(token ?? '')
  const { now, row } = await readRow<SessionRow>(deps.store, refOf(sessionId))
  // All tokens are compared, so that the time does not reveal which one matched.
  const matches = (row?.tokens ?? []).filter((one) => sameText(one.hash, hash) && now < one.until)
  return row && token !== null && matches.length > 0 ? row : null
}

/** Revokes all tokens of a session. */
export async function revokeTokens(deps: SessionDeps, sessionId: string): Promise<void> {
  await changeRow<SessionRow, void>(deps, refOf(sessionId), (row) =>
    row ? { put: { ...row, tokens: [] }, result: undefined } : { result: undefined },
  )
}

export async function rememberRun(deps: SessionDeps, sessionId: string, run: NonNullable<SessionRow['run']>) {
  await changeRow<SessionRow, void>(deps, refOf(sessionId), (row) =>
    row ? { put: { ...row, run }, result: undefined } : { result: undefined },
  )
}

export async function webhookTarget(deps: SessionDeps, sessionId: string): Promise<WebhookTarget | null> {
  const { row } = await readRow<SessionRow>(deps.store, refOf(sessionId))
  if (!row) return null
  const { url, secret } = JSON.parse(await deps.vault.open(row.webhook, boundTo(sessionId))) as {
    url: string
    secret: string
  }
  return { url, secrets: [secret] }
}
