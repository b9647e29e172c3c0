import { isHoldpointError } from '@holdpoint/core'
import type { GuardedFetch } from '../../security/outbound/guarded-fetch.ts'
import { retryAfterOf } from '../../webhooks/delivery-decision.ts'
import { encryptPush } from './encrypt.ts'
import type { PushNotification } from './notification.ts'
import type { Subscription } from './subscriptions.ts'
import type { Vapid } from './vapid.ts'

const LONGEST_TTL_S = 28 * 24 * 60 * 60
const SHORTEST_TTL_S = 60

/** The values that a push needs besides its notification. */
export interface PushContext {
  vapid: Vapid
  fetch: GuardedFetch
  randomBytes(length: number): Uint8Array
  now(): number
}

/** Sends one notification to one browser. `gone`: the browser has ended the subscription. */
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
      // A message that was not delivered yet is replaced by a later one about the same question.
      topic,
      urgency: 'high',
    },
  }).catch((error: unknown) => {
    // An address that may not be called will never take a message.
    if (isHoldpointError(error, 'url_not_allowed')) return undefined
    throw error
  })
  if (!response || response.status === 404 || response.status === 410) return 'gone'
  if (response.ok) return 'sent'
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), now())
  const error = new Error(`The push service answered ${response.status}.${why(response.status)}`)
  // Each browser names its own push service, so a time that one service asks for concerns no other recipient.
  throw Object.assign(error, retryAfterMs !== undefined && { retryAfterMs, recipientOnly: true })
}

const why = (status: number) =>
  status === 401 || status === 403 ? ' Check the VAPID keys: the browser subscribed with other ones.' : ''

/** A name of at most 32 characters, by which push services recognize messages about the same question. */
export const topicOf = (hash: string): string => hash.slice(0, 32)
