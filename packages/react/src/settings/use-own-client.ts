import { createHoldpointClient, type HoldpointClient } from '@holdpoint/core'
import type { HoldpointClientOptions } from '@holdpoint/core/internal'
import { useEffect, useRef, useState } from 'react'
import type { Clock } from '../base/clock.ts'

/**
 * The client that a provider makes of its `options`: one for each session id. It connects with the first hook that
 * reads it, so a render that React discards opens nothing. It is closed after the provider has been removed.
 */
export function useOwnClient(options: HoldpointClientOptions | undefined, clock: Clock): HoldpointClient | null {
  const [own, setOwn] = useState(() => ownClient(options))
  // Only the session id of the options is compared, because they are a new object in each render.
  if (own.sessionId !== options?.sessionId) setOwn(ownClient(options))
  const { client } = own
  const closing = useRef<{ client: HoldpointClient; timer: unknown } | null>(null)
  useEffect(() => {
    if (!client) return
    // StrictMode and fast refresh remove a component and mount it again at once: the client stays open.
    if (closing.current?.client === client) clock.clearTimeout(closing.current.timer)
    return () => {
      closing.current = { client, timer: clock.setTimeout(() => client.close(), 0) }
    }
  }, [client, clock])
  return client
}

const ownClient = (options: HoldpointClientOptions | undefined) => ({
  sessionId: options?.sessionId,
  client: options ? createHoldpointClient(options) : null,
})
