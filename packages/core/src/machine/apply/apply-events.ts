import { nextAfter, parseCursor } from '../../wire/events/cursor.ts'
import type { LogEntry, SessionState } from '../state/types.ts'
import { applyEvent } from './apply-event.ts'
import { type Change, edit as editOf, finish } from './batch.ts'

/**
 * Applies events in log order. `unread` is the number of events that arrived but could not be read, so they may be
 * missing.
 */
export function applyEvents(state: SessionState, events: readonly LogEntry[], unread = 0): Change {
  const edit = editOf(state)
  const applied: LogEntry[] = []
  let { cursor } = state
  const known = parseCursor(cursor)
  let isNext = known && nextAfter(known)
  let reason: Change[3]
  for (const entry of events) {
    // Usually the next cursor follows directly, and then it need not be parsed.
    if (!isNext?.(entry.cursor)) {
      const place = parseCursor(cursor)
      const at = parseCursor(entry.cursor)
      // A recorded log may have cursors of its own format. Only an exact repeat can be recognized there.
      if (place && at) {
        const missing = at.seq - place.seq - 1
        // A log that did not exist yet has no history that could differ.
        if (at.epoch !== place.epoch && place.epoch !== '0') reason = 'epoch'
        else if (missing === -1 && at.tag !== place.tag) reason = 'forked'
        else if (missing > unread) reason = 'gap'
        if (reason) break
        if (missing < 0) continue
        unread -= missing
      } else if (entry.cursor === cursor) continue
      isNext = at && nextAfter(at)
    }
    applyEvent(edit, entry.event)
    applied.push(entry)
    cursor = entry.cursor
  }
  const [next, topics] = finish(edit, applied.length ? { cursor, ready: true } : {})
  return [next, topics, applied, reason]
}
