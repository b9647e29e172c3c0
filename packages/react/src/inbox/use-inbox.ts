import type { HoldpointClient } from '@holdpoint/core'
import type { InboxPage } from '@holdpoint/core/internal'

import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSettings } from '../settings/context.ts'
import { useInboxPresence } from './use-inbox-presence.ts'

/** Where `useInbox` asks, with which credentials, and how often. */
export interface InboxOptions {
  /** Where the server is mounted: `/holdpoint`. */
  url: string
  /** Called for each request. */
  headers?: () => HeadersInit | Promise<HeadersInit>
  fetch?: typeof globalThis.fetch
  /** The pause between two requests without a notification, in milliseconds. False: no polling. @default 30,000 */
  refetchIntervalMs?: number | false
  /**
   * Whether the user counts as looking at all questions while the page is visible, so that surfaces send nothing. Pass
   * false if the page shows no questions, such as only their number.
   *
   * @default true
   */
  presence?: boolean
}

export type InboxItem = InboxPage['items'][number]

/** The result of `useInbox` or `useInboxHistory`: questions of this person, page by page. */
export interface Inbox {
  items: readonly InboxItem[]
  status: 'pending' | 'error' | 'success'
  error: Error | null
  hasMore: boolean
  loadMore: () => void
  refresh: () => void
}

/** Where `useInboxHistory` asks, and with which credentials. */
export type InboxHistoryOptions = Pick<InboxOptions, 'url' | 'headers' | 'fetch'>

const key = (url: string) => ['holdpoint', 'inbox', url]
const historyKey = (url: string) => ['holdpoint', 'history', url]
const TOUCHES: ReadonlySet<string> = new Set([
  'interaction_request',
  'interaction_response',
  'interaction_closed',
  'auth_needed',
  'auth_result',
])

/**
 * Returns the open questions of this person in all sessions. It reads them again after an event of the session on the
 * page that changes them, when the window becomes visible, and every half minute.
 *
 * @example
 * const inbox = useInbox({ url: '/holdpoint' })
 * return <Inbox items={inbox.items} transport={sse({ url: '/holdpoint' })} />
 */
export function useInbox({ url, headers, fetch, refetchIntervalMs = 30_000, presence = true }: InboxOptions): Inbox {
  const { client } = useSettings()
  const query = useInfiniteQuery({
    queryKey: key(url),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readPage({ url, headers, fetch, next: pageParam, signal }),
    getNextPageParam: (page: InboxPage) => page.next,
    refetchInterval: refetchIntervalMs,
    retryDelay,
  })
  useRefreshOnEvents(client, url)
  useInboxPresence({ url, ...(headers && { headers }), ...(fetch && { fetch }) }, presence, query.dataUpdatedAt)
  return resultOf(query, useItems(query.data))
}

/**
 * Returns the settled questions of this person in all sessions, newest first. It requests nothing until `refresh`
 * or `loadMore` is called, because most visits to an inbox do not open its history.
 *
 * @example
 * const inbox = useInbox({ url: '/holdpoint' })
 * const history = useInboxHistory({ url: '/holdpoint' })
 * return <Inbox items={inbox.items} history={history} transport={sse({ url: '/holdpoint' })} />
 */
export function useInboxHistory({ url, headers, fetch }: InboxHistoryOptions): Inbox {
  const query = useInfiniteQuery({
    queryKey: historyKey(url),
    enabled: false,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const read = (next: string) => readPage({ url, headers, fetch, next, signal, state: 'settled' })
      let page = await read(pageParam)
      // The server ends a page before it is full if it has read enough sessions.
      while (page.items.length === 0 && page.next) page = await read(page.next)
      return page
    },
    getNextPageParam: (page: InboxPage) => page.next,
    retryDelay,
  })
  return resultOf(query, useItems(query.data))
}

type Pages = InfiniteData<InboxPage>

const useItems = (data: Pages | undefined) => useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])

const resultOf = (query: UseInfiniteQueryResult<Pages>, items: readonly InboxItem[]): Inbox => ({
  items,
  status: query.status,
  error: query.error,
  hasMore: query.hasNextPage,
  loadMore: () => void query.fetchNextPage(),
  refresh: () => void query.refetch(),
})

function useRefreshOnEvents(client: HoldpointClient | null, url: string): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      client?.onEvent(({ type }) => {
        if (TOUCHES.has(type)) void queries.invalidateQueries({ queryKey: key(url) })
      }),
    [client, queries, url],
  )
}

async function readPage(request: {
  url: string
  headers: InboxOptions['headers']
  fetch: InboxOptions['fetch']
  next: string
  signal: AbortSignal
  state?: 'settled'
}): Promise<InboxPage> {
  const { url, next, signal, state, fetch = globalThis.fetch } = request
  const query = [state && `state=${state}`, next && `next=${encodeURIComponent(next)}`].filter(Boolean).join('&')
  const path = `${url.replace(/\/+$/, '')}/inbox${query && `?${query}`}`
  const headers = new Headers(await request.headers?.())
  headers.set('accept', 'application/json')
  const response = await fetch(path, { headers, signal, credentials: 'same-origin' })
  if (!response.ok) throw new Unreadable(response)
  return response.json()
}

/** The longest time that a server can make the inbox wait. */
const MAX_WAIT_MS = 60_000

class Unreadable extends Error {
  readonly retryAfterMs: number

  constructor({ status, headers }: Response) {
    super(`The inbox could not be read: the server answered ${status}`)
    const seconds = Number(headers.get('retry-after'))
    this.retryAfterMs = seconds > 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : 0
  }
}

/** The pause before the next attempt: that of TanStack Query, and not shorter than the server asks for. */
const retryDelay = (failures: number, error: Error): number =>
  Math.max(Math.min(1_000 * 2 ** failures, 30_000), error instanceof Unreadable ? error.retryAfterMs : 0)
