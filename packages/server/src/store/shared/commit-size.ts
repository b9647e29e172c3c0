import type { Commit } from '../port.ts'

/** About how many characters a commit writes: what bounds a group. */
export function sizeOf({ puts, events }: Commit): number {
  let size = 100
  for (const { data } of puts ?? []) size += data.length
  for (const event of events ?? []) size += event.length
  return size
}
