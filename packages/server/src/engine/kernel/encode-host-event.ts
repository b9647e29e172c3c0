import { HoldpointError } from '@holdpoint/core'
import { eventTypes, type HoldpointEvent, knownEvent } from '@holdpoint/core/protocol'
import type { Kernel } from './kernel.ts'

/** The engine's own events have one writer: itself. A forged answer in the log would look like a given one. */
const reserved: ReadonlySet<string> = new Set([
  ...['interaction_request', 'interaction_response', 'interaction_updated', 'interaction_closed'],
  ...['auth_needed', 'auth_progress', 'auth_result'],
])

/** Says what is wrong with an event of the host before it reaches anybody; returns it as JSON. */
export function encodeHostEvent(kernel: Kernel, event: HoldpointEvent): string {
  if (reserved.has(event.type)) {
    throw new HoldpointError(
      'reserved_event',
      `"${event.type}" events are written by the engine alone. Use ctx.requestInteraction, approve, ask or connect.`,
    )
  }
  const json = JSON.stringify(event)
  const size = Buffer.byteLength(json)
  if (size > kernel.limits.eventBytes) {
    throw new HoldpointError(
      'event_too_large',
      `This event has ${size} bytes; at most ${kernel.limits.eventBytes} are allowed. Store the content elsewhere and send a reference.`,
    )
  }
  const parsed = eventTypes.has(event.type) ? knownEvent.safeParse(event) : undefined
  if (!parsed || parsed.success) return json
  const issue = parsed.error.issues[0]
  throw new HoldpointError(
    'invalid_event',
    `Invalid "${event.type}" event: ${issue?.path.join('.')}: ${issue?.message}.`,
  )
}
