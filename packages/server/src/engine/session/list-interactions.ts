import { isHoldpointError } from '@holdpoint/core'
import type { InteractionFilter, InteractionList, InteractionRecord } from '../api/interactions.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { inboxTag, nodesPartition, pendingTag, questionTag, sessionPartition } from '../records/keys.ts'
import { readQuestion } from '../records/question-records.ts'
import { audienceOf } from '../state/question.ts'
import type { QuestionRow } from '../state/rows.ts'
import { settledOutcome } from '../state/settled-outcome.ts'
import { namesOf } from './names-of.ts'

const PAGE = 50
const LARGEST = 200

/** One page of the interactions that match a filter. Filters apply to each page of the store, so pages can be short. */
export async function listInteractions(kernel: Kernel, filter: InteractionFilter = {}): Promise<InteractionList> {
  await kernel.ready()
  const limit = Math.max(1, Math.min(filter.limit ?? PAGE, LARGEST))
  const { rows, next } =
    filter.sessionId === undefined
      ? await taggedPage(kernel, filter, limit)
      : await sessionPage(kernel, filter, filter.sessionId, limit)
  const matches = matcher(filter, filter.olderThanMs === undefined ? 0 : await storeTime(kernel))
  return { interactions: rows.filter(matches).map((row) => recordOf(row, kernel)), ...(next !== undefined && { next }) }
}

/** One interaction; null if it does not exist, or belongs to another tenant. */
export async function getInteraction(
  kernel: Kernel,
  { tenant = '', sessionId, interactionId }: { tenant?: string; sessionId?: string; interactionId: string },
): Promise<InteractionRecord | null> {
  const row = await findQuestion(kernel, { tenant, sessionId, interactionId })
  return row ? recordOf(row, kernel) : null
}

interface Which {
  tenant: string
  sessionId: string | undefined
  interactionId: string
}

/**
 * A settled interaction is found by its session only: nothing else lists it. The ids can be from an address or from a
 * message of another program, so an id that no row can have finds nothing.
 */
export async function findQuestion(kernel: Kernel, which: Which): Promise<QuestionRow | null> {
  const { tenant, sessionId, interactionId } = which
  if (sessionId !== undefined) return (await questionAt(kernel, { ...which, sessionId }))?.row ?? null
  return await possible(async () => {
    await kernel.ready()
    const { rows } = await kernel.store.byTag(questionTag(interactionId), { limit: 1 })
    const [row] = kernel.rows.all('question', rows)
    return row?.tenant === tenant ? row : null
  })
}

/** Returns a question of a session, and the time of the store when it was read. */
export function questionAt(kernel: Kernel, { tenant, sessionId, interactionId }: Which & { sessionId: string }) {
  return possible(async () => {
    await kernel.ready()
    return await kernel.transact(sessionPartition(tenant, sessionId), async (tx) => {
      const row = await readQuestion(tx, interactionId)
      return row && { row, now: tx.now }
    })
  })
}

/** Returns what a read finds, or null if no row can have the id. */
async function possible<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isHoldpointError(error, 'store_invalid')) return null
    throw error
  }
}

async function taggedPage(kernel: Kernel, { tenant = '', userId, after }: InteractionFilter, limit: number) {
  const tag = userId === undefined ? pendingTag(tenant) : inboxTag(tenant, userId)
  const { rows, next } = await kernel.store.byTag(tag, { limit, ...(after !== undefined && { after }) })
  return { rows: kernel.rows.all('question', rows), next }
}

/** Live interactions first, then settled ones; `after` names the kind and the last id of the page before. */
async function sessionPage(
  kernel: Kernel,
  { tenant = '', after }: InteractionFilter,
  sessionId: string,
  limit: number,
) {
  const partition = sessionPartition(tenant, sessionId)
  const [, from = 'question', id] = /^(question|ended):(.*)$/s.exec(after ?? '') ?? []
  const kind = from as 'question' | 'ended'
  const found = await kernel.store.list(partition, kind, { limit, ...(id && { after: id }) })
  const last = found.length === limit ? found.at(-1) : undefined
  const rows = kernel.rows.all(kind, found)
  if (last) return { rows, next: `${kind}:${last.id}` }
  return { rows, next: kind === 'question' ? 'ended:' : undefined }
}

function matcher({ userId, toolName, kind, status, olderThanMs }: InteractionFilter, now: number) {
  const statuses = status === undefined ? undefined : ([] as string[]).concat(status)
  return (row: QuestionRow) =>
    (userId === undefined || row.userId === userId || audienceOf(row).includes(userId)) &&
    (toolName === undefined || row.toolName === toolName) &&
    (kind === undefined || row.kind === kind) &&
    (statuses === undefined || statuses.includes(row.status)) &&
    (olderThanMs === undefined || now - row.askedAt >= olderThanMs)
}

/** Interactions carry the time of the store, which is not this process's. */
async function storeTime(kernel: Kernel): Promise<number> {
  const { now } = await kernel.store.load([{ partition: nodesPartition, kind: 'node', id: kernel.incarnation }])
  return now
}

export function recordOf(row: QuestionRow, { settings }: Pick<Kernel, 'settings'>): InteractionRecord {
  const { tenant, sessionId, userId, runId, toolCallId, toolName, kind, status, request, answer } = row
  const outcome = settledOutcome(row)
  return {
    ...{ interactionId: row.id, tenant, sessionId, userId, audience: audienceOf(row) },
    ...{ runId, toolCallId, toolName, key: row.key, kind, status, request },
    names: namesOf(row, settings.names),
    askedAt: new Date(row.askedAt),
    expiresAt: new Date(row.expiresAt),
    ...(outcome && { outcome }),
    ...(row.outcome?.type === 'reprompt' && { replacedBy: row.outcome.next }),
    ...(row.connected && { connected: row.connected }),
    ...(answer && {
      answer: {
        action: answer.action,
        at: new Date(answer.at),
        by: answer.by,
        ...(answer.reason !== undefined && { reason: answer.reason }),
      },
    }),
  }
}
