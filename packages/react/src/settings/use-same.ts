import { useState } from 'react'

/**
 * Returns the value of the render before if it has the same content. Applications often pass new objects with each render;
 * as the value of a context they would render every component again that reads it.
 */
export function useSame<T extends object | undefined>(value: T): T {
  const [kept, keep] = useState(value)
  if (isSame(kept, value, LEVELS)) return kept
  keep(value)
  return value
}

/** A record of records, such as names and icons by tool. */
const LEVELS = 2

function isSame(one: unknown, other: unknown, levels: number): boolean {
  if (Object.is(one, other)) return true
  if (levels === 0 || !isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && isSame(one[key], other[key], levels - 1))
  )
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
