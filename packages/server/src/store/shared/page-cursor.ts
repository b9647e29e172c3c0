import { storeError } from './errors.ts'

/** Reads the page cursor of a driver whose pages use a serial number. It may come from outside. */
export function readSerial(after: string | undefined): number | undefined {
  if (after === undefined) return undefined
  if (typeof after !== 'string' || !/^\d{1,15}$/.test(after)) {
    throw storeError('store_invalid', 'This page cursor is not one that byTag() returned. Begin again without it.')
  }
  return Number(after)
}

/** A page with its cursor: there is one when the page is full, for then more may follow. */
export function pageBySerial<T>(entries: readonly T[], limit: number, serialOf: (entry: T) => number | string) {
  const last = entries.at(-1)
  return last !== undefined && entries.length === limit ? { next: String(serialOf(last)) } : {}
}
