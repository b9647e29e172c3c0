import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { missingField } from './row-shapes.ts'

/** Turns stored data of one version into the next. */
export type Upcaster = (old: never) => unknown

/**
 * Rows are written with the version of their shape and read through the upcasters of every version since. A row of a
 * newer version is refused by name: guessing at it could answer a question wrongly.
 */
export function encodeRow(data: unknown, upcasters: readonly Upcaster[] = []): string {
  return JSON.stringify({ v: upcasters.length + 1, d: data })
}

export function decodeRow(
  kind: string,
  text: string,
  upcasters: readonly Upcaster[] = [],
  place: { partition?: string; id?: string } = {},
): unknown {
  const { v, d } = envelopeOf(kind, text, place)
  const latest = upcasters.length + 1
  if (v > latest) {
    throw new HoldpointError(
      'row_newer',
      `A stored ${kind} has version ${v}; this version of @holdpoint/server reads up to ${latest}. Another node runs a newer release on the same store: update this one.`,
      { details: { kind, version: v, ...place } },
    )
  }
  const data = upcasters.slice(v - 1).reduce((data: unknown, upcast) => upcast(data as never), d)
  const missing = missingField(kind, data as Record<string, unknown>)
  if (missing !== undefined) throw damaged(kind, place)
  return data
}

/** Whether a row is the reason of an error: a newer release wrote it, or it is damaged. Other rows are not concerned. */
export const isUnreadable = (error: unknown): error is HoldpointError =>
  isHoldpointError(error, 'row_newer') || isHoldpointError(error, 'row_damaged')

function envelopeOf(kind: string, text: string, place: object): { v: number; d: unknown } {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    // The parser's own message quotes the text.
  }
  const { v, d } = (read ?? {}) as { v?: unknown; d?: unknown }
  if (Number.isSafeInteger(v) && (v as number) > 0 && typeof d === 'object' && d !== null) return { v: v as number, d }
  throw damaged(kind, place)
}

function damaged(kind: string, place: object): HoldpointError {
  return new HoldpointError(
    'row_damaged',
    `A stored ${kind} is damaged: its data is not what Holdpoint writes. Restore the row from a backup, or delete it.`,
    { details: { kind, ...place } },
  )
}
