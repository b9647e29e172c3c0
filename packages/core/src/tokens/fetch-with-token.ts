import { HoldpointError } from '../error.ts'
import type { TokenManager } from './types.ts'

interface Means {
  tokens: Pick<TokenManager, 'token' | 'renew'>
  fetch: typeof globalThis.fetch
  origins: readonly string[] | undefined
}

/**
 * `fetch` with a bearer token, which is sent to the listed origins only. After a 401 it retries once with a newer token
 * if the body can be sent again. If the refresh fails temporarily, it returns the 401.
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
  // A Request with a body is a stream and can be read only once.
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
