/** The code of the three tabs. The test bundles it. */

import { browserTokenStore, createTokenManager, tokensFromResponse, webLock } from '../../src/tokens/index.ts'
import type { TokenSet } from '../../src/tokens/types.ts'

const keep = new URLSearchParams(location.search).get('keep') === 'localStorage' ? 'localStorage' : 'memory'
const byCookie = keep === 'memory'

async function refresh(tokens: TokenSet | null, { signal }: { signal: AbortSignal }): Promise<TokenSet> {
  const body = byCookie ? '{}' : JSON.stringify({ refresh_token: tokens?.refreshToken })
  const response = await fetch('/auth/refresh', { method: 'POST', body, signal })
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error('refused'), { code: answer.error, status: response.status })
  return tokensFromResponse(answer, Date.now())
}

const tokens = createTokenManager({
  store: browserTokenStore({ keep }),
  lock: webLock(),
  refreshBy: byCookie ? 'cookie' : 'token',
  refresh,
})
Object.assign(globalThis, { tokens })
