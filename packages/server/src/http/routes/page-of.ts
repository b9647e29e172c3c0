import { isHoldpointError } from '@holdpoint/core'
import { refuse } from '../requests/refuse.ts'

/** Reads which page a request wants: `?next=` of the page before, and `?limit=` from 1 to 100. */
export function pageOf(query: URLSearchParams): { after?: string; limit: number } {
  const after = query.get('next')
  const limit = Math.min(100, Math.max(1, Math.floor(Number(query.get('limit') ?? 50)) || 50))
  return { limit, ...(after !== null && { after }) }
}

/** Refuses a page cursor that the store could not read; only the store knows its format. */
export function unreadablePage(error: unknown): never {
  if (!isHoldpointError(error, 'store_invalid')) throw error
  refuseCursor()
}

export function refuseCursor(): never {
  refuse('invalid_cursor', 'This `next` is of no earlier page of this list. Begin again without it.')
}
