import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'

/** Where the settings are read and changed, and with which credentials. */
export interface SettingsOptions {
  /** Where the server is mounted: `/holdpoint`. */
  url: string
  /** Called for each request. */
  headers?: () => HeadersInit | Promise<HeadersInit>
  fetch?: typeof globalThis.fetch
}

/** One list of a settings page, and how to change it. */
export interface SettingsQuery<Data> {
  data: Data | undefined
  status: 'pending' | 'error' | 'success'
  refresh: () => void
  /** Sends a change, reads the list again, and returns the response. Rejects when the server did not accept the change. */
  change: (path: string, body: object) => Promise<unknown>
  isChanging: boolean
}

/** Reads one route of the settings, and changes what it lists. `append` joins the pages of a list that has several. */
export function useSettingsQuery<Data>(
  options: SettingsOptions,
  path: string,
  append?: (all: Data, page: Data) => Data,
): SettingsQuery<Data> {
  const queries = useQueryClient()
  const [changes, setChanges] = useState(0)
  const key = ['holdpoint', 'settings', options.url, path]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => readAll(options, path, signal, append) })
  const { url, headers, fetch } = options
  const change = useCallback(
    async (to: string, body: object) => {
      setChanges((count) => count + 1)
      try {
        return await call({ url, ...(headers && { headers }), ...(fetch && { fetch }) }, to, {
          method: 'POST',
          body: JSON.stringify(body),
        })
      } finally {
        setChanges((count) => count - 1)
        // Reads again after a failure too, because the server may have applied the change before the connection broke.
        await queries.invalidateQueries({ queryKey: ['holdpoint', 'settings', url, path] })
      }
    },
    [queries, url, headers, fetch, path],
  )
  const { data, status, refetch } = query
  // The same in each render, for effects that depend on it.
  const refresh = useCallback(() => void refetch(), [refetch])
  return { data, status, refresh, change, isChanging: changes > 0 }
}

async function readAll<Data>(
  options: SettingsOptions,
  path: string,
  signal: AbortSignal,
  append?: (all: Data, page: Data) => Data,
): Promise<Data> {
  const read = (next?: string) =>
    call(options, next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`, { signal }) as Promise<
      Data & { next?: string }
    >
  let page = await read()
  let all: Data = page
  while (append && page.next !== undefined) {
    page = await read(page.next)
    all = append(all, page)
  }
  return all
}

async function call({ url, headers, fetch = globalThis.fetch }: SettingsOptions, path: string, init: RequestInit) {
  const all = new Headers(await headers?.())
  all.set('accept', 'application/json')
  if (init.body) all.set('content-type', 'application/json')
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    ...init,
    headers: all,
    credentials: 'same-origin',
  })
  if (!response.ok) throw new Error(`The settings could not be read or changed: the server answered ${response.status}`)
  return response.json() as Promise<unknown>
}
