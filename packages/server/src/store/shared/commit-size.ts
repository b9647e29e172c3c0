import type { Commit } from '../port.ts'

/** Returns the approximate number of characters that a commit writes, which limits the size of a group. */
export function sizeOf({ puts, events }: Commit): number {
  let size = 100
  for (const { data } of puts ?? []) size += data.length
  for (const event of events ?? []) size += event.length
  return size
}
