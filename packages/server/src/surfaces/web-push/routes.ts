import { z } from 'zod'
import { refuse } from '../../http/requests/refuse.ts'
import { jsonResponse } from '../../http/responses/http-response.ts'
import type { Route } from '../../http/routing/route.ts'
import { guardUrl } from '../../security/outbound/guard-url.ts'
import { fromBase64Url } from './encrypt.ts'
import type { Subscriptions } from './subscriptions.ts'
import { WORKER } from './worker.ts'

const LONGEST_ENDPOINT = 2_048
const WORKER_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
}

const bytes = (length: number, first?: number) =>
  z
    .string()
    .max(200)
    .refine((text) => {
      try {
        const found = fromBase64Url(text)
        return found.length === length && (first === undefined || found[0] === first)
      } catch {
        return false
      }
    }, `must be ${length} bytes as base64url`)

const endpoint = z.string().max(LONGEST_ENDPOINT)
const subscribing = z.object({
  // Not strict, because browsers add properties such as `expirationTime`.
  subscription: z.object({ endpoint, keys: z.object({ p256dh: bytes(65, 4), auth: bytes(16) }) }),
  language: z.string().max(100).optional(),
})
const ending = z.object({ endpoint })

/** Returns the routes for the page and its service worker. */
export function pushRoutes(
  publicKey: string,
  subscriptions: () => Subscriptions,
  allowLoopback: boolean,
): readonly Route[] {
  const read = <T>(schema: z.ZodType<T>, body: unknown): T => {
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    const path = parsed.error.issues[0]?.path.join('.') ?? ''
    return refuse('invalid_message', `The request is malformed at ${path || 'its root'}.`, { path })
  }
  return [
    { method: 'GET', path: '/push', handle: async () => jsonResponse(200, { publicKey }) },
    {
      method: 'POST',
      path: '/push',
      async handle({ principal, json }) {
        const { subscription, language } = read(subscribing, await json())
        // Checked because the server will send requests to this address.
        guardUrl(subscription.endpoint, { allowLoopback })
        const { endpoint, keys } = subscription
        const user = { tenant: principal.tenant ?? '', userId: principal.userId }
        await subscriptions().add(user, { endpoint, keys, ...(language !== undefined && { language }) })
        return jsonResponse(200, { status: 'accepted', publicKey })
      },
    },
    {
      method: 'POST',
      path: '/push/remove',
      async handle({ principal, json }) {
        const { endpoint } = read(ending, await json())
        await subscriptions().remove({ tenant: principal.tenant ?? '', userId: principal.userId }, endpoint)
        return jsonResponse(200, { status: 'accepted' })
      },
    },
    {
      method: 'GET',
      path: '/push/worker.js',
      public: true,
      handle: async () => ({ kind: 'answer', status: 200, body: WORKER, headers: WORKER_HEADERS }),
    },
  ]
}
