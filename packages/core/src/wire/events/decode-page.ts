import { isObject } from '../../json/guards.ts'
import { accept, type Decoded, refuse, type WireProblem } from '../../json/result.ts'
import type { ResetReason } from '../../protocol/frames.ts'

import { parseCursor } from './cursor.ts'
import { decodeEvent } from './decode-event.ts'
import { type PlacedEvent, readReason } from './frame.ts'
import { cursorAt } from './tag.ts'

/** The decoded response of a long poll. `problems` are the events of the page that could not be read. */
export type Page = { reset: ResetReason } | { cursor: string; events: PlacedEvent[]; problems: WireProblem[] }

/**
 * Reads the answer to a long poll. A page names the cursor of its last event; those of the others follow from it,
 * because sequence numbers have no gaps and a tag is a hash of the event's JSON.
 *
 * @example
 * const page = decodePage(await response.json())
 * if (page.ok && 'events' in page.value) page.value.events.forEach(({ event }) => draw(event))
 */
export function decodePage(value: unknown): Decoded<Page> {
  if (!isObject(value)) return refuse('malformed_frame', 'A page is an object.')
  if ('reset' in value) return accept({ reset: readReason(value.reset) })
  const last = parseCursor(value.cursor)
  if (!last) return refuse('malformed_frame', 'A page names the cursor of its last event.', 'cursor')
  if (!Array.isArray(value.events)) return refuse('malformed_frame', 'A page has a list of events.', 'events')
  const cursor = String(value.cursor)
  const count = value.events.length
  if (count > last.seq) return refuse('malformed_frame', 'A page has more events than its cursor counts.', 'cursor')
  const events: PlacedEvent[] = []
  const problems: WireProblem[] = []
  value.events.forEach((item: unknown, index) => {
    const event = decodeEvent(item)
    if (!event.ok) problems.push(event.problem)
    else if (index === count - 1) events.push({ cursor, event: event.value })
    else {
      const seq = last.seq - (count - 1 - index)
      events.push({ cursor: cursorAt(last.epoch, { seq, json: JSON.stringify(item) }), event: event.value })
    }
  })
  return accept({ cursor, events, problems })
}
