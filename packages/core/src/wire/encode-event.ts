import { HoldpointError } from '../error.ts'
import { type JsonLimits, parseJson } from '../json/json.ts'
import type { HoldpointEvent } from '../protocol/index.ts'
import { decodeEvent } from './decode-event.ts'

/**
 * The one JSON text of an event: what goes into the log, what the tag is of, and what every subscriber receives.
 * It is read back before anybody else has to: what a client would refuse (too large, too deep, `__proto__`, a
 * malformed known type) throws here, at the place that made it.
 *
 * @example
 * const json = encodeEvent({ type: 'done', timestamp: new Date().toISOString(), sessionId: 'task-42' })
 */
export function encodeEvent(event: HoldpointEvent, limits?: JsonLimits): string {
  let json: string
  try {
    // What has no JSON text at all is read as null, and refused as that.
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
