import { toBase64Url } from '../security/hashes.ts'
import { hmacKey } from '../security/jwt.ts'
import type { Sealed, Vault } from '../security/vault.ts'
import type { RowRef } from '../store/port.ts'
import { changeRow, type RowDeps, readRow } from '../store/shared/change-row.ts'

/** The session that webhooks are about. */
export interface WebhookSession {
  sessionId: string
  tenant?: string
}

/** The keys of a session, one for each purpose, so that a sender who can sign bodies cannot create tokens. */
export interface WebhookKeys {
  /** Signs tokens, and never leaves the receiver. */
  token: Uint8Array
  /** Signs bodies. The sender receives it. */
  signing: string
}

interface SecretsRow {
  /** The current secret, then the previous one while it is accepted. */
  secrets: { sealed: Sealed; until?: number }[]
}

export interface SecretDeps extends RowDeps {
  vault: Vault
}

export const webhookPartition = ({ tenant, sessionId }: WebhookSession) =>
  `conn/webhook/${encodeURIComponent(tenant ?? '')}/${encodeURIComponent(sessionId)}`

const refOf = (session: WebhookSession): RowRef => ({
  partition: webhookPartition(session),
  kind: 'webhook_secret',
  id: 'secret',
})

/** Returns the session's keys, the current ones first. Returns none if no secret was created for the session. */
export async function readKeys(deps: SecretDeps, session: WebhookSession): Promise<WebhookKeys[]> {
  const { now, row } = await readRow<SecretsRow>(deps.store, refOf(session))
  const living = (row?.secrets ?? []).filter(({ until }) => until === undefined || now < until)
  return Promise.all(living.map(async ({ sealed }) => derive(deps.vault.open(sealed, boundTo(session)))))
}

/** Creates the session's secret if it has none: 32 random bytes, encrypted. */
export async function ensureKeys(deps: SecretDeps, session: WebhookSession): Promise<WebhookKeys[]> {
  const fresh = await newSecret(deps, session)
  await changeRow<SecretsRow, void>(deps, refOf(session), (row) =>
    row ? { result: undefined } : { put: { secrets: [fresh] }, result: undefined },
  )
  return readKeys(deps, session)
}

/** Creates a new secret. The old one is accepted for a while. */
export async function rotateKeys(deps: SecretDeps, session: WebhookSession, overlapMs: number): Promise<WebhookKeys[]> {
  const fresh = await newSecret(deps, session)
  await changeRow<SecretsRow, void>(deps, refOf(session), (row, now) => {
    if (row?.secrets[0]?.sealed.data === fresh.sealed.data) return { result: undefined }
    const before = row?.secrets[0]
    const kept = before ? [{ sealed: before.sealed, until: now + overlapMs }] : []
    return { put: { secrets: [fresh, ...kept] }, result: undefined }
  })
  return readKeys(deps, session)
}

async function newSecret({ vault, environment }: SecretDeps, session: WebhookSession) {
  return { sealed: vault.seal(toBase64Url(environment.randomBytes(32)), boundTo(session)) }
}

async function derive(secret: string): Promise<WebhookKeys> {
  const key = await hmacKey(Uint8Array.from(new TextEncoder().encode(secret)))
  const of = async (purpose: string) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`holdpoint webhook ${purpose}`)))
  const signing = btoa(String.fromCharCode(...(await of('signature'))))
  return { token: await of('token'), signing: `whsec_${signing}` }
}

const boundTo = (session: WebhookSession) => ['webhook', webhookPartition(session)]
