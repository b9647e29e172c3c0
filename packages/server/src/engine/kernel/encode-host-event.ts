import { HoldpointError, type HoldpointEvent } from '@holdpoint/core'
import { eventTypes, schemas } from '@holdpoint/core/protocol'
import { byteLength } from '../../base/environment.ts'
import type { Kernel } from './kernel.ts'

/** Only the engine writes these events. A forged one in the log would look like a person's decision. */
const reserved: ReadonlySet<string> = new Set([
  ...['interaction_request', 'interaction_response', 'interaction_updated', 'interaction_closed'],
  ...['auth_needed', 'auth_progress', 'auth_result'],
  'user_action',
])

/** Encodes an event of the host as JSON. Throws before the log or a client receives an invalid one. */
export function encodeHostEvent(kernel: Kernel, event: HoldpointEvent): string {
  if (reserved.has(event.type)) {
    throw new HoldpointError(
      'reserved_event',
      `Cannot emit "${event.type}": only the engine writes these events. Use ctx.requestInteraction, approve, ask or connect.`,
    )
  }
  const json = JSON.stringify(event)
  const size = byteLength(json)
  if (size > kernel.limits.eventBytes) {
    throw new HoldpointError(
      'event_too_large',
      `This event has ${size} bytes; at most ${kernel.limits.eventBytes} are allowed. Store the content elsewhere and send a reference.`,
    )
  }
  const parsed = eventTypes.has(event.type) ? schemas.knownEvent.safeParse(event) : undefined
  if (!parsed || parsed.success) return json
  const issue = parsed.error.issues[0]
  throw new HoldpointError(
    'invalid_event',
    `Invalid "${event.type}" event: ${issue?.path.join('.')}: ${issue?.message}.`,
  )
}
