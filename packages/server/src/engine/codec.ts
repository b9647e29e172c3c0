import { HoldpointError } from '@holdpoint/core'

/** Turns stored data of one version into the next. */
export type Upcaster = (old: never) => unknown

/**
 * Rows are written with the version of their shape and read through the upcasters of every version since. A row of a
 * newer version is refused by name: guessing at it could answer a question wrongly.
 */
export function encodeRow(data: unknown, upcasters: readonly Upcaster[] = []): string {
  return JSON.stringify({ v: upcasters.length + 1, d: data })
}

export function decodeRow(kind: string, text: string, upcasters: readonly Upcaster[] = []): unknown {
  const { v, d } = JSON.parse(text) as { v: number; d: unknown }
  const latest = upcasters.length + 1
  if (v > latest) {
    throw new HoldpointError(
      'row_newer',
      `A stored ${kind} has version ${v}; this version of @holdpoint/server reads up to ${latest}. Another node runs a newer release on the same store: update this one.`,
      { details: { kind, version: v } },
    )
  }
  return upcasters.slice(v - 1).reduce((data: unknown, upcast) => upcast(data as never), d)
}
