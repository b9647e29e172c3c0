import type { GuardedFetch, GuardedRequest } from '../../security/outbound/guarded-fetch.ts'
import type { OAuthProvider } from './provider.ts'

/**
 * Wraps `fetch` for services whose token endpoint differs from RFC 6749 in its outer form. The OAuth library still
 * reads the content.
 */
export function adaptedFetch(provider: OAuthProvider, fetch: GuardedFetch) {
  return async (url: string, request: GuardedRequest): Promise<Response> => {
    const response = await fetch(url, provider.tokenBody === 'json' ? asJson(request) : request)
    return provider.errorsIn200 || provider.errorField ? withError(provider, response) : response
  }
}

function asJson({ body, headers, ...rest }: GuardedRequest): GuardedRequest {
  if (!(body instanceof URLSearchParams)) return { ...rest, headers, body }
  const others = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    ...rest,
    headers: { ...Object.fromEntries(others), 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(body)),
  }
}

/** Converts an error response to the form of RFC 6749: status 400 and a code in `error`. */
async function withError({ errorsIn200, errorField = 'error' }: OAuthProvider, response: Response): Promise<Response> {
  const refusing = response.status >= 400 && response.status < 500
  if (!refusing && !(errorsIn200 && response.status === 200)) return response
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null
  if (!refusing && body?.ok !== false) return Response.json(body)
  return Response.json({ ...body, error: body?.error ?? body?.[errorField] }, { status: 400 })
}
