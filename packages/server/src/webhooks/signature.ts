import { HoldpointError } from '@holdpoint/core'
import { sameText } from '../security/hashes.ts'
import { hmacKey } from '../security/jwt.ts'

/** The three headers of Standard Webhooks (https://www.standardwebhooks.com). */
export interface WebhookHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** The values that are signed for one webhook. */
export interface SignInput {
  /** The id of the message, which is the same for every attempt. */
  id: string
  /** The current time in milliseconds. */
  now: number
  body: string
  /** The secrets, as `whsec_…`. All of them sign, so that the receiver may have the old or the new one. */
  secrets: readonly string[]
}

/** A received webhook, and the secrets that it may be signed with. */
export interface VerifyInput {
  /** Returns a header, or null if there is none. */
  header: (name: string) => string | null
  /** The exact bytes of the body, because parsing and serializing would change them. */
  body: string | Uint8Array
  secrets: readonly string[]
  now: number
  /**
   * The accepted difference between the times of sender and receiver, in milliseconds.
   *
   * @default 5 minutes
   */
  toleranceMs?: number
}

const encoder = new TextEncoder()
const PREFIX = 'whsec_'
/** The maximum number of signatures that are checked. It is more than a sender needs for rotation. */
const MAX_SIGNATURES = 10

/**
 * Signs a webhook's body, with its id and time.
 *
 * @example
 * const headers = await signWebhook({ id: 'msg_1', now: Date.now(), body, secrets: ['whsec_…'] })
 * await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
 */
export async function signWebhook({ id, now, body, secrets }: SignInput): Promise<WebhookHeaders> {
  if (!/^[\x21-\x7e]{1,200}$/.test(id) || id.includes('.')) {
    throw new HoldpointError(
      'invalid_webhook',
      'A webhook id is up to 200 printable characters without blanks and dots.',
    )
  }
  if (secrets.length === 0) throw new HoldpointError('invalid_webhook', 'A webhook needs a secret to sign with.')
  const timestamp = String(Math.floor(now / 1000))
  const content = signed(id, timestamp, encoder.encode(body))
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${await signatureOf(secret, content)}`))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/**
 * Checks a webhook's signature and age. Returns its id, which the receiver must not accept twice. Rejects with
 * `webhook_invalid`, or with `webhook_expired` for a genuine webhook that is too old or too early.
 *
 * @example
 * const { id } = await verifyWebhook({ header: (name) => request.headers.get(name), body, secrets, now: Date.now() })
 */
export async function verifyWebhook(input: VerifyInput): Promise<{ id: string; timestampMs: number }> {
  const { header, body, secrets, now, toleranceMs = 5 * 60_000 } = input
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const given = (header('webhook-signature') ?? '').split(' ').filter((one) => one.startsWith('v1,'))
  if (!id || id.length > 200 || !timestamp || !/^\d{1,12}$/.test(timestamp) || given.length === 0) throw invalid()

  const content = signed(id, timestamp, typeof body === 'string' ? encoder.encode(body) : body)
  const expected = await Promise.all(secrets.map((secret) => signatureOf(secret, content)))
  // All pairs are compared, so that the time does not reveal which one matched.
  const matches = given
    .slice(0, MAX_SIGNATURES)
    .flatMap((one) => expected.map((right) => sameText(one.slice(3), right)))
  if (!matches.includes(true)) throw invalid()

  const timestampMs = Number(timestamp) * 1000
  if (Math.abs(now - timestampMs) > toleranceMs) {
    throw new HoldpointError(
      'webhook_expired',
      'The webhook is too old or too early. Sign it when it is sent, and set both clocks.',
    )
  }
  return { id, timestampMs }
}

async function signatureOf(secret: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await hmacKey(secretBytes(secret))
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  return btoa(String.fromCharCode(...bytes))
}

/** Returns the bytes of a secret. Throws if there are fewer than 24, the minimum of the standard. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    if (bytes.length >= 24) return bytes
  } catch {
    // The error is thrown below.
  }
  throw new HoldpointError('weak_secret', 'A webhook secret is `whsec_` and the base64 of at least 24 random bytes.')
}

function signed(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

const invalid = () => new HoldpointError('webhook_invalid', 'The webhook signature does not match any known secret.')
