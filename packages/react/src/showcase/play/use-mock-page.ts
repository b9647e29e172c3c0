import { createHoldpointClient, type HoldpointClient, sse } from '@holdpoint/core'
import { type MockServer, mockServer } from '@holdpoint/server/mock'
import { useEffect, useState } from 'react'
import { useLatest } from '../../base/use-latest.ts'

export const SESSION = 'playground'

/** The page that stands for the service in the window that connects an account. */
function connectPage({ integration }: { integration: string }): string {
  return new URL(`authorize.html?service=${encodeURIComponent(integration)}`, document.baseURI).href
}

/**
 * Runs a mock server in this page for as long as the component is mounted, and `play` on it. Returns its client, or null
 * before the first effect.
 */
export function useMockPage(
  play: (mock: MockServer) => void,
  options?: Parameters<typeof mockServer>[0],
): HoldpointClient | null {
  const [client, setClient] = useState<HoldpointClient | null>(null)
  const latest = useLatest({ play, options })
  useEffect(() => {
    const { play, options } = latest()
    const mock = mockServer({ connectPage, connectAfterMs: 1_500, ...options })
    const transport = sse({ url: mock.url, fetch: mock.fetch, share: false })
    const created = createHoldpointClient({ sessionId: SESSION, transport })
    play(mock)
    setClient(created)
    return () => {
      setClient(null)
      created.close()
      void mock.close()
    }
  }, [latest])
  return client
}
