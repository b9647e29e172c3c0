import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { parseBody, schemas } from '@holdpoint/core/protocol'
import { decodeJwt } from 'jose'
import { type Environment, systemEnvironment } from '../base/environment.ts'
import { hashOf, randomToken } from '../security/hashes.ts'
import { createJwt } from '../security/jwt.ts'
import { createVault, type VaultKey } from '../security/vault.ts'
import type { RowRef, Store } from '../store/port.ts'
import { changeRow } from '../store/shared/change-row.ts'
import { verifyWebhook } from './signature.ts'
import {
  ensureKeys,
  readKeys,
  rotateKeys,
  type WebhookKeys,
  type WebhookSession,
  webhookPartition,
} from './webhook-secrets.ts'

/** Options of `createWebhookReceiver`. */
export interface WebhookReceiverOptions {
  store: Store
  /** Encrypts each session's secret. */
  vaultKeys: readonly VaultKey[]
  /** The public address of your webhook endpoint: `https://app.example.com/holdpoint/webhook`. */
  url: string
  /**
   * The maximum number of bytes of a body.
   *
   * @default 256 KiB
   */
  maxBytes?: number
  /**
   * Milliseconds for which an id is remembered; at least ten minutes.
   *
   * @default one day
   */
  rememberMs?: number
  environment?: Partial<Environment>
  now?: () => number
}

/** The credentials that a sender receives for one session. */
export interface WebhookCredentials {
  /** The address of the webhook, with a token that is valid for ten minutes. */
  url: string
  token: string
  /** The secret that signs bodies. */
  secret: string
}

/** A received webhook, in a form that every server can provide. */
export interface ReceivedWebhook {
  /** The token from `?token=` or from `Authorization: Bearer`. */
  token: string | null
  header: (name: string) => string | null
  body: Uint8Array | string
}

/** A message with a valid signature, and its session. */
export interface Webhook {
  id: string
  session: WebhookSession
  payload: unknown
}

/** Whether your handler was called, or the webhook was a repetition that it did not receive. */
export type WebhookOutcome = { status: 'handled' } | { status: 'duplicate' }

interface IdRow {
  attempt: string
  /** When another attempt may take over; absent when the webhook was handled. */
  until?: number
}

/** The time after which a handler counts as dead, so that another attempt may call it again. */
const HANDLING_MS = 60_000
const TOKEN_SECONDS = 10 * 60
const DAY = 24 * 60 * 60 * 1000

/** Issues credentials for senders, and verifies and deduplicates their webhooks. Created by `createWebhookReceiver`. */
export type WebhookReceiver = ReturnType<typeof createWebhookReceiver>

/**
 * Creates a receiver of webhooks about sessions. A webhook needs a token of the session, which is valid for ten
 * minutes, and a signed body. Each id is handled once.
 *
 * @example
 * const webhooks = createWebhookReceiver({ store, vaultKeys, url: 'https://app.example.com/holdpoint/webhook' })
 * const { url, secret } = await webhooks.issue({ sessionId: 'task-42' })        // to the remote agent
 * await webhooks.receive(incoming, async ({ session, payload }) => save(session, payload))
 */
export function createWebhookReceiver(options: WebhookReceiverOptions) {
  const environment = { ...systemEnvironment(), ...options.environment }
  const now = options.now ?? Date.now
  const vault = createVault(options.vaultKeys, environment.randomBytes)
  const deps = { store: options.store, environment, vault }
  const maxBytes = options.maxBytes ?? 256 * 1024
  const rememberMs = Math.max(options.rememberMs ?? DAY, TOKEN_SECONDS * 1000)
  const jwt = (keys: readonly WebhookKeys[]) =>
    createJwt({
      secrets: keys.map(({ token }) => token),
      typ: 'holdpoint-webhook+jwt',
      issuer: options.url,
      audience: options.url,
      lifetimeSeconds: TOKEN_SECONDS,
      now,
    })

  const issued = async (session: WebhookSession, keys: readonly WebhookKeys[]): Promise<WebhookCredentials> => {
    const jti = randomToken(environment.randomBytes, 16)
    const { sessionId, tenant } = session
    const token = await jwt(keys).sign({ sub: sessionId, jti, ...(tenant !== undefined && { tenant }) })
    const url = new URL(options.url)
    url.searchParams.set('token', token)
    return { url: url.href, token, secret: keys[0]?.signing ?? '' }
  }

  /** The session is read from the unverified token first, because the verification needs that session's secret. */
  const authenticate = async (received: ReceivedWebhook): Promise<Omit<Webhook, 'payload'>> => {
    if (!received.token) throw refused('webhook_token_missing', 400, 'It carries no token.')
    const session = claimed(received.token)
    const keys = await readKeys(deps, session)
    if (keys.length === 0) throw refused('webhook_unknown_session', 404, 'There is no such session here.')
    await jwt(keys)
      .verify(received.token)
      .catch(() => {
        throw refused('webhook_token_invalid', 401, 'Its token has expired or is not one of ours.')
      })
    const secrets = keys.map(({ signing }) => signing)
    const { id } = await verifyWebhook({ ...received, secrets, now: now() }).catch(() => {
      throw refused('webhook_signature_invalid', 401, 'Its signature is wrong, or too old.')
    })
    return { id, session }
  }

  return {
    /** Returns a token and a signing secret for the sender. Every call returns a new token. */
    issue: async (session: WebhookSession) => issued(session, await ensureKeys(deps, session)),

    /** Creates a new secret. Senders with the old one are accepted for `overlapMs`, which is ten minutes by default. */
    rotate: async (session: WebhookSession, overlapMs = TOKEN_SECONDS * 1000) =>
      issued(session, await rotateKeys(deps, session, overlapMs)),

    /**
     * Verifies a webhook and passes it to the handler once. A handler that fails is called again with the sender's next
     * attempt. Rejects with a coded error whose `details.httpStatus` is the response: 400, 401, 404, 409, 413.
     */
    async receive(received: ReceivedWebhook, handle: (webhook: Webhook) => unknown): Promise<WebhookOutcome> {
      const size = typeof received.body === 'string' ? Buffer.byteLength(received.body) : received.body.byteLength
      if (size > maxBytes) throw refused('too_large', 413, `Its body is larger than ${maxBytes} bytes.`)
      const { id, session } = await authenticate(received)
      const parsed = parseBody(received.body, { messageBytes: maxBytes })
      if (!parsed.ok)
        throw refused(parsed.body.error.code as HoldpointErrorCode, parsed.status, parsed.body.error.message)

      const ref: RowRef = { partition: webhookPartition(session), kind: 'webhook_id', id: await hashOf(id) }
      const attempt = randomToken(environment.randomBytes, 12)
      const taken = await changeRow<IdRow, 'mine' | 'done' | 'busy'>(deps, ref, (row, at) => {
        if (row && row.attempt !== attempt) {
          if (row.until === undefined) return { result: 'done' }
          if (at < row.until) return { result: 'busy' }
        }
        return { put: { attempt, until: at + HANDLING_MS }, due: at + rememberMs, result: 'mine' }
      })
      if (taken === 'done') return { status: 'duplicate' }
      if (taken === 'busy')
        throw refused('webhook_busy', 409, 'The same webhook is being handled. Send it again later.')

      const mine = (row: IdRow | null) => row?.attempt === attempt
      try {
        await handle({ id, session, payload: parsed.value })
      } catch (error) {
        await changeRow<IdRow, void>(deps, ref, (row) => ({ remove: mine(row), result: undefined }))
        throw error
      }
      await changeRow<IdRow, void>(deps, ref, (row, at) =>
        mine(row) ? { put: { attempt }, due: at + rememberMs, result: undefined } : { result: undefined },
      )
      return { status: 'handled' }
    },

    /** Deletes a session's secret and ids, so that its tokens become invalid. */
    forget: (session: WebhookSession) => options.store.erase(webhookPartition(session)),

    /** Deletes expired ids, and returns their number. Call it regularly. */
    async sweep(): Promise<number> {
      const { rows } = await options.store.due('webhook_id', { limit: 500 })
      for (const { partition, kind, id, version } of rows) {
        await options.store.commit({ partition, deletes: [{ kind, id, expect: version }] })
      }
      return rows.length
    },
  }
}

function claimed(token: string): WebhookSession {
  try {
    const { sub, tenant } = decodeJwt<{ sub?: unknown; tenant?: unknown }>(token)
    // The token is not verified yet, so a claim of a wrong type must not reach the store.
    const sessionId = schemas.id.parse(sub)
    return { sessionId, ...(tenant !== undefined && { tenant: schemas.id.parse(tenant) }) }
  } catch {
    throw refused('webhook_token_invalid', 400, 'Its token cannot be read, or names no session.')
  }
}

function refused(code: HoldpointErrorCode, httpStatus: number, why: string): HoldpointError {
  return new HoldpointError(code, `The webhook was rejected. ${why}`, { details: { httpStatus } })
}
