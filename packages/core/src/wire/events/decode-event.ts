import { pathOfFault } from '../../json/guards.ts'
import { accept, type Decoded, refuse } from '../../json/result.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'

import { isEvent } from './event-shapes.ts'

/**
 * Checks that a parsed value can be handled as an event. Known types must have the shape that the client relies on.
 * Unknown types and fields pass unchanged (the same object is returned). Never throws.
 *
 * @example
 * const decoded = decodeEvent(JSON.parse(data))
 * if (decoded.ok) apply(decoded.value)
 * else report(decoded.problem) // { code: 'malformed_event', path: 'expiresAt', … }
 */
export function decodeEvent(value: unknown): Decoded<HoldpointEvent> {
  if (isEvent(value)) return accept(value as HoldpointEvent)
  const path = pathOfFault(isEvent, value)
  return refuse('malformed_event', `An event is malformed at ${path || 'its root'}.`, path)
}
