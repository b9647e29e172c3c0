import type { InboxPage, InteractionSnapshot, SessionSnapshot } from '@holdpoint/core/protocol'
import { cursorAt } from '@holdpoint/core/wire'
import { may, permissions, tenantOf } from './access.ts'
import { decodeRow } from './codec.ts'
import type { Core } from './core.ts'
import { iso } from './decide/transition.ts'
import { meetDeadline } from './expire.ts'
import { inboxTag, sessionPartition } from './names.ts'
import { isPending } from './place.ts'
import type { Principal, SessionRecord } from './port.ts'
import type { CallRow, QuestionRow, RunRow, SessionRow } from './rows.ts'

/** Questions that are over, newest first, for a client that begins. What lies further back is in the log. */
const ENDED_SHOWN = 200
const INBOX_PAGE = 50

/** All of one session at one moment, with the place in its log to go on from. */
export async function sessionSnapshot(
  core: Core,
  principal: Principal,
  record: SessionRecord,
): Promise<SessionSnapshot> {
  await core.ready()
  const partition = sessionPartition(record.tenant, record.sessionId)
  const limit = core.limits.openQuestions + ENDED_SHOWN
  let page = await core.store.snapshot(partition, ['question', 'run', 'ended', 'idle'], { limit })
  // Where nothing watches the clock, reading does.
  const overdue = questions(page.rows, 'question').filter((row) => row.status === 'open' && row.expiresAt <= page.now)
  if (overdue.length > 0) {
    for (const { id } of overdue) await meetDeadline(core, partition, id)
    page = await core.store.snapshot(partition, ['question', 'run', 'ended', 'idle'], { limit })
  }
  const live = questions(page.rows, 'question').sort((a, b) => a.askedAt - b.askedAt)
  const pending = live.filter(isPending)
  const handled = live.filter((row) => !isPending(row))
  const ended = questions(page.rows, 'ended').slice(0, ENDED_SHOWN).reverse()
  const runs = page.rows
    .filter(({ kind }) => kind === 'run' || kind === 'idle')
    .map(({ kind, data }) => decodeRow(kind, data) as RunRow)
  const all = [...pending, ...handled, ...ended]
  const running = await callsAtWork(core, partition, all)
  return {
    cursor: cursorAt(page.epoch, page.head),
    serverTime: iso(page.now),
    you: { userId: principal.userId, can: await allowed(core, principal, record) },
    runs: runs.map(({ runId, status, reason }) => ({ runId, status, ...(reason !== undefined && { reason }) })),
    interactions: all.map((row) =>
      running.has(row.call) && isAnswered(row) ? { ...shown(row), running: true } : shown(row),
    ),
  }
}

/**
 * Calls that go on after an answer. They are looked up a moment later than the rest: one that ended meanwhile says so
 * in the log, after the snapshot's cursor. A bare call never says that it is over, so nothing is said of it.
 */
async function callsAtWork(core: Core, partition: string, rows: readonly QuestionRow[]): Promise<Set<string>> {
  const ids = [...new Set(rows.filter((row) => row.registered && isAnswered(row)).map(({ call }) => call))]
  if (ids.length === 0) return new Set()
  const found = await core.store.load(ids.map((id) => ({ partition, kind: 'call', id })))
  return new Set(
    ids.filter((_id, index) => {
      const stored = found.rows[index]
      const call = stored ? (decodeRow('call', stored.data) as CallRow) : null
      // One that a gate made has not begun.
      return call?.inputDigest !== undefined && call.status !== 'finished'
    }),
  )
}

const isAnswered = ({ answer, outcome }: QuestionRow) =>
  answer !== undefined && (!outcome || outcome.type === 'complete')

/** What waits for this user, over all sessions. Only the user's own inbox can be read: the tag is made of the principal. */
export async function inboxPage(
  core: Core,
  principal: Principal,
  { after, limit = INBOX_PAGE }: { after?: string; limit?: number },
): Promise<InboxPage> {
  await core.ready()
  const tag = inboxTag(tenantOf(principal), principal.userId)
  const { rows, next } = await core.store.byTag(tag, {
    limit: Math.min(limit, INBOX_PAGE),
    ...(after !== undefined && { after }),
  })
  const items = questions(rows, 'question').map((row) => ({ sessionId: row.sessionId, interaction: shown(row) }))
  return { items, ...(next !== undefined && { next }) }
}

/** The events that a client needs to show a question as it stands. */
function shown(row: QuestionRow): InteractionSnapshot {
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

function questions(rows: readonly { kind: string; data: string }[], kind: 'question' | 'ended'): QuestionRow[] {
  return rows.filter((row) => row.kind === kind).map(({ data }) => decodeRow(kind, data) as QuestionRow)
}

async function allowed(core: Core, principal: Principal, record: SessionRecord) {
  const session: SessionRow = { ...record, createdAt: 0 }
  const can = await Promise.all(permissions().map((action) => may(core, principal, action, session)))
  return permissions().filter((_action, index) => can[index])
}
