import { type Cursor, emptyTag, formatCursor } from './cursor.ts'

/**
 * Returns a short hash of an event's JSON text in the log. It distinguishes two histories. It is not
 * collision-resistant and need not be, because only servers create cursors.
 *
 * @example
 * const json = encodeEvent(event)
 * const cursor = formatCursor({ epoch: 'e1', seq: 7, tag: eventTag(json) })
 */
export function eventTag(json: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < json.length; i++) hash = Math.imul(hash ^ json.charCodeAt(i), 0x01000193)
  // Mixes the hash once more, so that a change in the last characters affects every bit.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0).toString(36)
}

/**
 * The cursor of a log's event, or, with null, of a log that is still empty.
 *
 * @example
 * cursorAt('e1', null) // 'e1.0.0'
 * const cursor = cursorAt('e1', { seq: 7, json: encodeEvent(event) })
 */
export function cursorAt(epoch: string, event: { seq: number; json: string } | null): string {
  const cursor: Cursor = event ? { epoch, seq: event.seq, tag: eventTag(event.json) } : { epoch, seq: 0, tag: emptyTag }
  return formatCursor(cursor)
}
