import { storeError } from './errors.ts'

/** Reads a page cursor that contains a serial number. The cursor may come from outside, so it is validated. */
export function readSerial(after: string | undefined): number | undefined {
  if (after === undefined) return undefined
  if (typeof after !== 'string' || !/^\d{1,15}$/.test(after)) {
    throw storeError('store_invalid', 'This page cursor is not one that byTag() returned. Begin again without it.')
  }
  return Number(after)
}

/** Returns a page with its cursor. There is a cursor only if the page is full, because more rows may follow then. */
export function pageBySerial<T>(entries: readonly T[], limit: number, serialOf: (entry: T) => number | string) {
  const last = entries.at(-1)
  return last !== undefined && entries.length === limit ? { next: String(serialOf(last)) } : {}
}
