import type { HoldpointClientOptions } from '../../src/client/api/types.ts'
import { createHoldpointClient } from '../../src/client/create-client.ts'
import { scriptedServer } from './scripted-server.ts'
import { virtualEnvironment } from './virtual-environment.ts'

/** A client between a scripted server and a virtual environment; nothing happens before a listener subscribes. */
export function startClient(
  options: Partial<HoldpointClientOptions> = {},
  prepare?: (server: ReturnType<typeof scriptedServer>) => void,
) {
  const server = scriptedServer()
  const world = virtualEnvironment()
  prepare?.(server)
  const client = createHoldpointClient({
    sessionId: 'task-42',
    clientId: 'tab-1',
    transport: server.transport,
    environment: world.env,
    ...options,
  })
  const status = () => client.getSnapshot().connection.status
  const ids = () => [...client.getSnapshot().interactions.keys()]
  return { server, world, client, status, ids }
}
