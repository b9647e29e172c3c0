import type { InteractionSnapshot, SessionSnapshot } from '@holdpoint/core/internal'

import { cursorAt } from '@holdpoint/core/wire'
import type { Principal } from '../../base/principal.ts'
import { listedPages } from '../../store/every-page.ts'
import type { Row } from '../../store/port.ts'
import { may, permissions } from '../access/authorize.ts'
import type { SessionRecord } from '../api/engine.ts'
import type { DeliveryKernel } from '../delivery/delivery-kernel.ts'
import { enforceDeadline } from '../ending/expire.ts'
import { sessionPartition } from '../records/keys.ts'
import { isPending } from '../state/question.ts'
import { iso } from '../state/question-events.ts'
import type { QuestionRow, SessionRow } from '../state/rows.ts'

/** The number of ended questions, newest first, in a snapshot for a new client. Older ones are in the log. */
const ENDED_SHOWN = 200
/** Ended questions that are read at once: with the limit of an event's size, the bytes that one page can have. */
const ENDED_PAGE = 40
/** The number of run rows in a snapshot, in addition to the open questions. */
const LIVE_ROWS = 200
export const INBOX_PAGE = 50
/** Characters of ended questions in a snapshot, and of one page of an inbox; one question is always shown. */
const PAGE_BYTES = 4 * 1024 * 1024

/** The state of one session at one moment, with the cursor to continue from. */
export async function sessionSnapshot(
  kernel: DeliveryKernel,
  principal: Principal,
  record: SessionRecord,
): Promise<SessionSnapshot> {
  await kernel.ready()
  const partition = sessionPartition(record.tenant, record.sessionId)
  const read = () =>
    kernel.store.snapshot(partition, ['question', 'run', 'idle'], { limit: LIVE_ROWS + kernel.limits.openQuestions })
  let page = await read()
  // Without timers, a read expires overdue questions.
  const overdue = questions(kernel, page.rows, 'question').filter(
    (row) => row.status === 'open' && row.expiresAt <= page.now,
  )
  if (overdue.length > 0) {
    for (const { id } of overdue) await enforceDeadline(kernel, partition, id)
    page = await read()
  }
  const live = questions(kernel, page.rows, 'question').sort((a, b) => a.askedAt - b.askedAt)
  const pending = live.filter(isPending)
  const handled = live.filter((row) => !isPending(row))
  const alive = new Set(live.map(({ id }) => id))
  const over = await endedRows(kernel, partition)
  const readableEnded = questions(kernel, over, 'ended')
  const ended = readableEnded.filter(({ id }) => !alive.has(id)).reverse()
  const runs = page.rows
    .filter(({ kind }) => kind === 'run' || kind === 'idle')
    .map((row) => kernel.rows.read(row.kind as 'run' | 'idle', row))
    .filter((row) => row !== null)
  const all = [...pending, ...handled, ...ended]
  const readable = live.length + runs.length + readableEnded.length
  const running = await callsAtWork(kernel, partition, all)
  return {
    ...(readable < page.rows.length + over.length && { incomplete: true }),
    cursor: cursorAt(page.epoch, page.head),
    serverTime: iso(page.now),
    you: await rights(kernel, principal, record),
    runs: runs.map(({ runId, status, reason }) => ({ runId, status, ...(reason !== undefined && { reason }) })),
    interactions: all.map((row) =>
      running.has(row.call) && isAnswered(row) ? { ...shown(row), running: true } : shown(row),
    ),
  }
}

/**
 * The newest ended questions, in pages, so that a session full of large ones does not fill the memory of each node that
 * reads it. They are read a moment after the rest, never before it: a question that ended in between is still open in the
 * rest, and the log after the snapshot's cursor ends it.
 */
async function endedRows(kernel: DeliveryKernel, partition: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of listedPages(kernel.store, partition, 'ended', { limit: ENDED_PAGE })) {
    rows.push(...page.rows)
    if (withinBytes(rows) < rows.length || rows.length >= ENDED_SHOWN) break
  }
  return rows.slice(0, Math.min(withinBytes(rows), ENDED_SHOWN))
}

/**
 * Calls that continue after an answer. They are read a moment later than the rest: a call that ended since is in the
 * log, after the snapshot's cursor. A bare call never reports its end, so it is not listed.
 */
async function callsAtWork(
  kernel: DeliveryKernel,
  partition: string,
  rows: readonly QuestionRow[],
): Promise<Set<string>> {
  const ids = [...new Set(rows.filter((row) => row.registered && isAnswered(row)).map(({ call }) => call))]
  if (ids.length === 0) return new Set()
  const found = await kernel.store.load(ids.map((id) => ({ partition, kind: 'call', id })))
  return new Set(
    ids.filter((_id, index) => {
      const stored = found.rows[index]
      const call = stored ? kernel.rows.read('call', stored) : null
      // One that a gate made has not begun.
      return call?.inputDigest !== undefined && call.status !== 'finished'
    }),
  )
}

const isAnswered = ({ answer, outcome }: QuestionRow) =>
  answer !== undefined && (!outcome || outcome.type === 'complete')

/** The events that a client needs to show a question as it stands. */
export function shown(row: QuestionRow): InteractionSnapshot {
  const asked = row.request.expiresAt
  const expiresAt = iso(row.expiresAt)
  return {
    request: row.request,
    ...(expiresAt !== asked && { expiresAt }),
    ...(row.status === 'deferred' && { deferred: true }),
    ...(row.connected && { connected: row.connected }),
    ...(row.response && { response: row.response }),
    ...(row.closed && { closed: row.closed }),
  }
}

function questions(kernel: DeliveryKernel, rows: readonly Row[], kind: 'question' | 'ended'): QuestionRow[] {
  return kernel.rows.all(
    kind,
    rows.filter((row) => row.kind === kind),
  )
}

/** How many of these rows one answer carries. */
export function withinBytes(rows: readonly Row[]): number {
  let bytes = 0
  const cut = rows.findIndex(({ data }, index) => {
    bytes += data.length
    return index > 0 && bytes > PAGE_BYTES
  })
  return cut < 0 ? rows.length : cut
}

/** The rights of a user in a session; with a row, also those that the audience of the question gives. */
export async function rights(
  kernel: DeliveryKernel,
  principal: Principal,
  session: Pick<SessionRow, 'sessionId' | 'userId'>,
  row?: QuestionRow,
): Promise<NonNullable<SessionSnapshot['you']>> {
  const can = await Promise.all(permissions().map((action) => may(kernel, principal, action, session, row)))
  return { userId: principal.userId, can: permissions().filter((_action, index) => can[index]) }
}
