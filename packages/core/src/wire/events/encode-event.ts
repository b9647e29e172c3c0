import { HoldpointError } from '../../error.ts'
import { type JsonLimits, parseJson } from '../../json/json.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'

import { decodeEvent } from './decode-event.ts'

/**
 * Encodes an event as the JSON text that the log stores, the tag hashes and every subscriber receives. An event that a
 * client would reject (too large, too deep, `__proto__`, a malformed known type) throws here, at its source.
 *
 * @example const json = encodeEvent({ type: 'done', timestamp: new Date().toISOString(), sessionId: 'task-42' })
 */
export function encodeEvent(event: HoldpointEvent, limits?: JsonLimits): string {
  let json: string
  try {
    // A value without JSON text is read as null and rejected.
    json = JSON.stringify(event) ?? 'null'
  } catch (cause) {
    throw new HoldpointError(
      'invalid_event',
      'An event cannot be written as JSON: it holds a bigint or refers to itself. Send plain data.',
      { cause },
    )
  }
  const read = parseJson(json, limits)
  const decoded = read.ok ? decodeEvent(read.value) : read
  if (decoded.ok) return json
  const { code, message, path } = decoded.problem
  throw new HoldpointError(code, `An event cannot be sent. ${message}`, { details: path === undefined ? {} : { path } })
}
