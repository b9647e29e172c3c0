import type { HoldpointEvent } from '../protocol/index.ts'
import { knownFault } from './event-shapes.ts'
import { isObject } from './guards.ts'
import { accept, type Decoded, refuse } from './result.ts'

/**
 * Makes sure that a parsed value can be handled as an event. Known types must have the shape that the client relies
 * on; unknown types and unknown fields pass through untouched (the very same object comes back). Never throws.
 *
 * @example
 * const decoded = decodeEvent(JSON.parse(data))
 * if (decoded.ok) apply(decoded.value)
 * else report(decoded.problem) // { code: 'malformed_event', path: 'expiresAt', … }
 */
export function decodeEvent(value: unknown): Decoded<HoldpointEvent> {
  const fault = eventFault(value)
  if (fault === undefined) return accept(value as HoldpointEvent)
  const type = isObject(value) && typeof value.type === 'string' ? `"${value.type.slice(0, 64)}"` : 'without a type'
  return refuse('malformed_event', `An event ${type} is malformed at ${fault || 'its root'}.`, fault)
}

/** Where a value is no event; undefined when it is one. */
export function eventFault(value: unknown): string | undefined {
  if (!isObject(value)) return ''
  const { type } = value
  if (typeof type !== 'string' || type === '' || type.length > 256) return 'type'
  return knownFault(value)
}
