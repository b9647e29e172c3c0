import { hashOf, randomToken, sameText } from '../../security/hashes.ts'
import type { Sealed, Vault } from '../../security/vault.ts'
import type { RowRef } from '../../store/port.ts'
import { changeRow, type RowDeps, readRow } from '../../store/shared/change-row.ts'
import type { WebhookTarget } from '../../webhooks/send.ts'

export interface SessionRow {
  /** Hashes of the tokens that open the stream. */
  tokens: { hash: string; until: number }[]
  /** Where messages go, and what signs them. */
  webhook: Sealed
  /** The latest prompt: a repeat of its request is recognized. */
  run?: { id: string; promptId?: string; from: number; epoch: string }
}

export interface SessionDeps extends RowDeps {
  vault: Vault
  lifetimeMs: number
}

/** Tabs that may have a token of their own. */
const TOKENS = 5

/** A session's rows and its log of parts commit together. */
export const agentPartition = (sessionId: string) => `remote-agent/${encodeURIComponent(sessionId)}`

const refOf = (sessionId: string): RowRef => ({
  partition: agentPartition(sessionId),
  kind: 'remote_session',
  id: 'session',
})
const boundTo = (sessionId: string) => ['remote-agent', sessionId]

/** Makes a session or refreshes it: a new token, and the newest place for its messages. */
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

/** The session that this token opens. A missing session looks the same as a wrong token. */
export async function sessionOfToken(
  deps: SessionDeps,
  sessionId: string,
  token: string | null,
): Promise<SessionRow | null> {
  const hash = await hashOf(token ?? '')
  const { now, row } = await readRow<SessionRow>(deps.store, refOf(sessionId))
  // Every token is compared, so that the time does not reveal which one matched.
  const matches = (row?.tokens ?? []).filter((one) => sameText(one.hash, hash) && now < one.until)
  return row && token !== null && matches.length > 0 ? row : null
}

/** Ends all tokens of a session. */
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
