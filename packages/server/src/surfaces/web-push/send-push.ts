import { isHoldpointError } from '@holdpoint/core'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import { retryAfterOf } from '../../webhooks/delivery-decision.ts'
import { encryptPush } from './encrypt.ts'
import type { PushNotification } from './notification.ts'
import type { Subscription } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

const LONGEST_TTL_S = 28 * 24 * 60 * 60
const SHORTEST_TTL_S = 60

/** The values that all pushes share. */
export interface PushContext {
  vapid: Vapid
  fetch: GuardedFetch
  randomBytes(length: number): Uint8Array
  now(): number
}

/** Sends one notification to one browser. Returns `gone` if the subscription can no longer be used. */
export async function sendPush(
  { vapid, fetch, randomBytes, now }: PushContext,
  { endpoint, keys }: Subscription,
  notification: PushNotification,
  { topic, expiresAt }: { topic: string; expiresAt: number },
): Promise<'sent' | 'gone'> {
  const body = await encryptPush(JSON.stringify(notification), keys, { salt: Uint8Array.from(randomBytes(16)) })
  const ttl = Math.floor((expiresAt - now()) / 1_000)
  const response = await fetch(endpoint, {
    method: 'POST',
    body,
    headers: {
      authorization: await vapid.authorize(endpoint, now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(Math.min(LONGEST_TTL_S, Math.max(SHORTEST_TTL_S, ttl))),
      // A later message about the same question replaces one that was not delivered yet.
      topic,
      urgency: 'high',
    },
  }).catch((error: unknown) => {
    // The address is forbidden, so no attempt can succeed.
    if (isHoldpointError(error, 'url_not_allowed')) return undefined
    throw error
  })
  if (!response || response.status === 404 || response.status === 410) return 'gone'
  if (response.ok) return 'sent'
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), now())
  const error = new Error(`The push service answered ${response.status}.${why(response.status)}`)
  // Each browser has its own push service, so a delay that one service requests does not concern other recipients.
  throw Object.assign(error, retryAfterMs !== undefined && { retryAfterMs, recipientOnly: true })
}

const why = (status: number) =>
  status === 401 || status === 403 ? ' Check the VAPID keys: the browser subscribed with other ones.' : ''

/** Returns a topic of at most 32 characters, by which push services recognize messages about the same question. */
export const topicOf = (hash: string): string => hash.slice(0, 32)
