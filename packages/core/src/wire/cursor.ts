import { HoldpointError } from '../error.ts'

/**
 * A place in one session's log. `epoch` changes when the log lost history, `seq` counts events from 1, and `tag` is a
 * short hash of the event at `seq`: a restored backup that grew past an old cursor has another event there.
 * On the wire it is one word, `epoch.seq.tag`, opaque to applications.
 */
export interface Cursor {
  epoch: string
  seq: number
  tag: string
}

/** The tag of "before the first event". */
export const emptyTag = '0'

const epochShape = /^[A-Za-z0-9_-]{1,64}$/
const tagShape = /^[0-9a-z]{1,16}$/
const cursorShape = /^[A-Za-z0-9_-]{1,64}\.(?:0|[1-9]\d{0,15})\.[0-9a-z]{1,16}$/

/** `{ epoch: 'e1', seq: 7, tag: 'k3' }` → `'e1.7.k3'`. Throws `invalid_cursor` for parts that would not read back. */
export function formatCursor({ epoch, seq, tag }: Cursor): string {
  if (epochShape.test(epoch) && Number.isSafeInteger(seq) && seq >= 0 && tagShape.test(tag))
    return `${epoch}.${seq}.${tag}`
  throw new HoldpointError(
    'invalid_cursor',
    'A cursor cannot be made of these parts: the epoch is 1 to 64 letters, digits, "_" or "-", the sequence number a whole number from 0, the tag 1 to 16 lower-case letters or digits.',
  )
}

/** Reads `epoch.seq.tag`; null for everything else. Whatever it accepts, `formatCursor` writes back unchanged. */
export function parseCursor(text: unknown): Cursor | null {
  if (typeof text !== 'string' || !cursorShape.test(text)) return null
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  const seq = Number(text.slice(first + 1, second))
  return Number.isSafeInteger(seq) ? { epoch: text.slice(0, first), seq, tag: text.slice(second + 1) } : null
}

/**
 * The sequence number of a cursor of this epoch; NaN for anything else. For loops over thousands of events, where
 * taking each cursor apart would cost as much as parsing a fifth of its event.
 */
export function cursorSeq(epoch: string, text: string): number {
  if (!text.startsWith(epoch) || text.charCodeAt(epoch.length) !== DOT) return Number.NaN
  let seq = 0
  for (let i = epoch.length + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) return seq > 0 && seq <= Number.MAX_SAFE_INTEGER ? seq : Number.NaN
    if (code < 48 || code > 57) return Number.NaN
    seq = seq * 10 + (code - 48)
  }
  return Number.NaN
}

const DOT = 46

/** Where `a` lies as seen from `b`. `epoch` and `forked`: they are not places of the same log. */
export type CursorOrder = 'before' | 'same' | 'after' | 'epoch' | 'forked'

export function compareCursors(a: Cursor, b: Cursor): CursorOrder {
  if (a.epoch !== b.epoch) return 'epoch'
  if (a.seq !== b.seq) return a.seq < b.seq ? 'before' : 'after'
  return a.tag === b.tag ? 'same' : 'forked'
}
