import { HoldpointError } from '../../error.ts'
import type { ResetReason } from '../../protocol/frames.ts'

/**
 * Returns one event as `text/event-stream`, with the cursor as `id`. Encode it once and write the same bytes to every
 * subscriber.
 *
 * @example
 * const json = encodeEvent(event)
 * response.write(sseFrame(cursorAt(epoch, { seq, json }), json))
 */
export function sseFrame(cursor: string, json: string): string {
  return `id: ${oneLine(cursor, 'cursor')}\ndata: ${oneLine(json, 'event')}\n\n`
}

/**
 * Returns the frame after which the reader must fetch a snapshot. It has no id, because it is no position in the log.
 *
 * @example
 * response.write(sseReset('trimmed'))
 */
export function sseReset(reason: ResetReason): string {
  return `event: reset\ndata: ${JSON.stringify({ reason })}\n\n`
}

/**
 * Returns a comment, which keeps proxies from closing the connection and resets the client's heartbeat timeout.
 *
 * @example
 * setInterval(() => response.write(sseHeartbeat), 8_000)
 */
export const sseHeartbeat = ': heartbeat\n\n'

/**
 * Returns the frame that sets the reconnect delay of a browser's EventSource.
 *
 * @example
 * response.write(sseRetry(2_000))
 */
export function sseRetry(ms: number): string {
  return `retry: ${Math.max(0, Math.round(ms))}\n\n`
}

/** A line break would end the field and let its author write fields of their own; NUL makes readers drop an id. */
function oneLine(text: string, what: string): string {
  if (!text.includes('\n') && !text.includes('\r') && !text.includes('\0')) return text
  throw new HoldpointError(
    'unsafe_frame',
    `The ${what} holds a line break or NUL, which would break out of its frame. Encode events with encodeEvent() and cursors with formatCursor().`,
  )
}
