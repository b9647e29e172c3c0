import { parseCursor } from '@holdpoint/core/wire'
import { type History, type SessionLog, storiesOf, type Violation } from './history.ts'
import type { ClientNote } from './messages.ts'

interface Life {
  sessionId: string
  history: 'snapshot' | 'log'
  /** The last event that it had; undefined before the first. */
  seq: number | undefined
  /** Where the snapshots stood that came since. */
  snapshots: Set<number>
  /** The epoch of the last event. A store that failed over has a new one, and sends a reset. */
  epoch: string | undefined
  reset: boolean
}

const OPEN = new Set(['pending', 'submitting', 'not_sent'])

/**
 * Checks that each client saw what the store has: in order, without gaps or repeats; and that it knows all outcomes.
 */
export function checkClients({ sessions, clients }: History): Violation[] {
  const found: Violation[] = []
  const against = (rule: string, what: string) => void found.push({ rule, what })
  const lives = new Map<string, Life>()
  for (const note of clients) {
    const [what, sessionId, name] = note
    if (what === 'life') {
      const [, , , , history] = note
      lives.set(name, { sessionId, history, seq: undefined, snapshots: new Set(), epoch: undefined, reset: false })
      continue
    }
    const life = lives.get(name)
    if (!life) continue
    const log = sessions.get(sessionId)
    if (what === 'snapshot') life.snapshots.add(seqOf(note[3]))
    else if (what === 'reset') life.reset = true
    else if (what === 'event') judge(note, life, log, against)
    else if (what === 'stuck') against('clients catch up', `${name} is at ${note[3]}, the log ends at ${note[4]}`)
    else if (what === 'end' && log) checkEnd(note, log, against)
  }
  return found
}

function judge(
  [, , name, cursor, digest]: Extract<ClientNote, ['event', ...unknown[]]>,
  life: Life,
  log: SessionLog | undefined,
  against: (rule: string, what: string) => void,
): void {
  const at = parseCursor(cursor)
  if (!at) {
    against('clients see the log', `${name}: "${cursor}" is no cursor`)
    return
  }
  const { seq, epoch } = at
  const stored = log?.events[seq - 1]
  if (!stored || stored.digest !== digest)
    against(
      'clients see the log',
      `${name}: event ${cursor} is ${stored ? `another ${stored.type}` : 'nothing'} in the store`,
    )
  if (life.epoch !== undefined && life.epoch !== epoch && !life.reset)
    against('no gap', `${name}: ${cursor} is of another epoch than ${life.epoch}, and there was no reset`)
  const byLog = life.seq === undefined ? life.history === 'log' && seq === 1 : seq === life.seq + 1
  // A snapshot replaces all earlier events. A client that reads the log uses one only after a reset.
  const bySnapshot = (life.history === 'snapshot' || life.reset) && life.snapshots.has(seq - 1)
  if (!byLog && !bySnapshot) {
    const twice = life.seq !== undefined && seq <= life.seq
    against(twice ? 'nothing twice' : 'no gap', `${name}: ${seq} after ${life.seq ?? 'nothing'}`)
  }
  life.seq = seq
  life.epoch = epoch
  life.snapshots.clear()
}

function checkEnd(
  [, sessionId, name, cursor, known]: Extract<ClientNote, ['end', ...unknown[]]>,
  log: SessionLog,
  against: (rule: string, what: string) => void,
): void {
  const stories = new Map(storiesOf(sessionId, log, seqOf(cursor)).map((story) => [story.id, story]))
  for (const [id, status] of Object.entries(known)) {
    const story = stories.get(id)
    const expected = story?.closed ?? (story && story.answers.length > 0 ? 'answered' : 'pending')
    // An answer that was just accepted may be known before the log contains it.
    const early =
      expected === 'pending' &&
      (OPEN.has(status) || storiesOf(sessionId, log).some((one) => one.id === id && one.answers.length > 0))
    if (status !== expected && !early)
      against('clients know the end', `${name}: ${id} is ${status} there, ${story ? expected : 'nothing'} in the store`)
  }
}

const seqOf = (cursor: string) => parseCursor(cursor)?.seq ?? -1
