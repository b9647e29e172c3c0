import { pages } from '@holdpoint/core/internal'
import type { LogEvent, Row, Store } from './port.ts'

/** Rows of one page, unless the caller chooses another number. */
const PAGE = 100

/** Reads all rows with a tag, page by page. */
export function taggedPages(store: Store, tag: string, limit = PAGE): AsyncGenerator<{ rows: Row[] }> {
  return pages((after?: string) => store.byTag(tag, { limit, ...(after !== undefined && { after }) }))
}

/** Reads all rows of a kind in one partition, page by page. With `after`, reads only the rows after that id. */
export function listedPages(
  store: Store,
  partition: string,
  kind: string,
  { limit = PAGE, after: start }: { limit?: number; after?: string } = {},
): AsyncGenerator<{ rows: Row[] }> {
  return pages(async (after: string | undefined = start) => {
    const rows = await store.list(partition, kind, { limit, ...(after !== undefined && { after }) })
    return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.id }
  })
}

/** Reads a log from its first event to its head, page by page. */
export function logPages(store: Store, partition: string, limit = 500): AsyncGenerator<{ events: LogEvent[] }> {
  return pages(async (from: number | undefined = 1) => {
    const { events, head } = await store.readLog(partition, { from, limit })
    const last = events.at(-1)
    return { events, next: last && last.seq < head ? last.seq + 1 : undefined }
  })
}

/** Returns the rows of all pages. */
export async function rowsOf(found: AsyncIterable<{ rows: readonly Row[] }>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of found) rows.push(...page.rows)
  return rows
}
