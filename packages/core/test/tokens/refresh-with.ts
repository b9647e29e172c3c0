import { tokensFromResponse } from '../../src/tokens/index.ts'
import type { TokenSet } from '../../src/tokens/types.ts'

/** An OAuth refresh as an application would write it. */
export async function refreshWith(issuer: string, tokens: TokenSet | null, signal?: AbortSignal): Promise<TokenSet> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'cli',
      refresh_token: tokens?.refreshToken ?? '',
    }),
    ...(signal ? { signal } : {}),
  })
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error('refused'), { code: answer.error, status: response.status })
  return tokensFromResponse(answer, Date.now())
}
