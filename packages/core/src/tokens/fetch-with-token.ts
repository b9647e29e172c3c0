import { HoldpointError } from '../error.ts'
import type { TokenManager } from './types.ts'

interface Means {
  tokens: Pick<TokenManager, 'token' | 'renew'>
  fetch: typeof globalThis.fetch
  origins: readonly string[] | undefined
}

/**
 * `fetch` with a bearer token that goes to the named origins only. A 401 is answered once with a newer token, if the
 * body can be sent a second time; where refreshing fails for the moment, the 401 is what comes back.
 */
export async function fetchWithToken(
  { tokens, fetch, origins = typeof location === 'undefined' ? [] : [location.origin] }: Means,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, globalThis.location?.href)
  if (!origins.includes(url.origin)) {
    throw new HoldpointError(
      'origin_not_allowed',
      `The token is not meant for ${url.origin}. Add it to \`origins\` of createTokenManager, or use fetch without a token.`,
    )
  }
  const send = (token: string) => {
    const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input instanceof Request ? input : url, { ...init, headers })
  }
  // A Request with a body is a stream: once sent, it is gone.
  const replayable = !(input instanceof Request && input.body) && !(init.body instanceof ReadableStream)
  const used = await tokens.token()
  const response = await send(used)
  if (response.status !== 401) return response
  try {
    const newer = await tokens.renew(used)
    if (!replayable) return response
    await response.body?.cancel()
    return await send(newer)
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'refresh_failed') return response
    throw error
  }
}
