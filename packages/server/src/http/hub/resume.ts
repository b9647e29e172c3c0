import { emptyTag, type ResetReason } from '@holdpoint/core/internal'
import { parseCursor } from '@holdpoint/core/wire'
import { NO_EPOCH } from '../../store/shared/limits.ts'

/** The state of a log at one moment. */
export interface LogBounds {
  epoch: string
  /** The last sequence number; 0 when the log is empty. */
  head: number
  /** The lowest sequence number that can still be read; `head + 1` if none can. */
  floor: number
}

/**
 * The position from which a reader continues, or the reason why it cannot. With `expect`, the event at `after` must
 * have this tag.
 */
export type Resume = { after: number; expect?: string } | { reset: ResetReason }

const beginning = { epoch: NO_EPOCH, seq: 0, tag: emptyTag }

/**
 * Decides whether a reader with `cursor` can continue without a gap. A reader without a cursor starts at the log's
 * beginning, or with a snapshot if the beginning was trimmed.
 */
export function decideResume(cursor: string | null, log: LogBounds): Resume {
  const known = cursor === null ? beginning : parseCursor(cursor)
  if (known === null) return { reset: 'invalid' }
  // The cursor is from before the log existed, so there is no earlier history to compare.
  if (known.epoch === NO_EPOCH) return log.floor > 1 ? { reset: 'trimmed' } : { after: 0 }
  if (known.epoch !== log.epoch) return { reset: 'epoch' }
  if (known.seq > log.head) return { reset: 'ahead' }
  if (known.seq < log.floor - 1) return { reset: 'trimmed' }
  // An event below the floor was trimmed and cannot be compared, but no later event is missing.
  if (known.seq === 0 || known.seq < log.floor) return { after: known.seq }
  return { after: known.seq, expect: known.tag }
}
