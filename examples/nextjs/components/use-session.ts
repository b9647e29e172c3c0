'use client'

import { createHoldpointClient, type HoldpointClient, sse } from '@holdpoint/core'
import { useEffect, useState } from 'react'

export function useSession(sessionId: string): HoldpointClient {
  const [client] = useState(() =>
    createHoldpointClient({ sessionId, transport: sse({ url: '/holdpoint' }), history: 'log' }),
  )
  useEffect(() => {
    client.connect()
    return () => client.close()
  }, [client])
  return client
}
