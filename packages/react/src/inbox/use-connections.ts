import type { ConnectionsClient } from '@holdpoint/core/connections'
import type { ServiceConnection } from '@holdpoint/core/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSettings } from '../settings/context.ts'

/** The result of `useConnections`: the connected accounts, and a function that disconnects one. */
export interface ConnectionsResult {
  /** By service. */
  connections: Readonly<Record<string, ServiceConnection>>
  status: 'pending' | 'error' | 'success'
  error: Error | null
  /** Ends a connection and looks again. */
  disconnect: (service: string) => Promise<void>
  refresh: () => void
}

const KEY = ['holdpoint', 'connections']
const none: ConnectionsResult['connections'] = {}

/**
 * The accounts that this person has connected, for a settings page. Looks again when an account was connected in the
 * session on the page.
 *
 * @example
 * const connections = createConnections({ baseUrl: '/holdpoint' }) // once, outside of components
 * const { connections: list, disconnect } = useConnections(connections)
 */
export function useConnections(service: Pick<ConnectionsClient, 'list' | 'disconnect'>): ConnectionsResult {
  const { client } = useSettings()
  const queries = useQueryClient()
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => service.list({ signal }) })
  const { mutateAsync } = useMutation({
    mutationFn: (name: string) => service.disconnect(name),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  useEffect(
    () =>
      client?.onEvent(({ type }) => {
        if (type === 'auth_progress' || type === 'auth_result') void queries.invalidateQueries({ queryKey: KEY })
      }),
    [client, queries],
  )
  const { data, status, error, refetch } = query
  return {
    connections: data ?? none,
    status,
    error,
    disconnect: async (name) => {
      await mutateAsync(name)
    },
    refresh: () => void refetch(),
  }
}
