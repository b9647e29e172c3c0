'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ChatSummary } from '@/lib/chats.ts'

const queryKey = ['chats']

/** Returns the list of chats: first as the server rendered it, then as it is read again. */
export function useChats(rendered: readonly ChatSummary[]): readonly ChatSummary[] {
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => readChats(signal), initialData: rendered })
  return data
}

/**
 * Reads the list again when a new chat has its first answer. `router.refresh()` would do so too, but it leaves the page
 * for the browser's error page if the connection is lost at that moment.
 */
export function useListedWhenBegun(begun: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (begun) void queries.invalidateQueries({ queryKey })
  }, [begun, queries])
}

async function readChats(signal: AbortSignal): Promise<readonly ChatSummary[]> {
  const response = await fetch('/api/chats', { signal })
  if (!response.ok) throw new Error(`The chats could not be read: the server answered ${response.status}`)
  return (await response.json()) as readonly ChatSummary[]
}
