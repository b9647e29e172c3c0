import type { HoldpointClient, Interaction } from '@holdpoint/core'
import type { InboxPage } from '@holdpoint/core/internal'
import { questionOf } from '../../wording/question-text.ts'

export type Item = InboxPage['items'][number]

/** A question as the list shows it, with the facts for search, order and groups. */
export interface Row {
  /** Unique over all sessions. */
  key: string
  id: string
  sessionId: string
  item: Item
  interaction: Interaction
  /** The client of its session. It sends answers and opens no stream. */
  client: HoldpointClient
  /** Ends the run of the question. */
  stop: () => Promise<void>
  /** The question in one line. */
  text: string
  agent: string
  chat: string
  tool: string
  askedAt: number
  /** NaN where there is no deadline. */
  dueAt: number
  risk: 'low' | 'medium' | 'high' | undefined
  /** True if the question is no longer open, or was answered here. */
  isSettled: boolean
  /** True if it has ended elsewhere, and how is not known. */
  isMissing: boolean
  /** True if it was settled before the page was opened: only the history shows it. */
  isPast: boolean
}

export const idOf = (item: Item): string =>
  String((item.interaction.request as { interactionId?: unknown }).interactionId)
export const keyOf = (item: Item): string => `${item.sessionId} ${idOf(item)}`

/** The filter, order and groups that the controls above the list choose. */
export interface ListView {
  search: string
  show: 'waiting' | 'approvals' | 'forms' | 'accounts' | 'high' | 'due' | 'settled'
  sort: 'oldest' | 'newest' | 'due' | 'risk'
  group: 'none' | 'agent' | 'chat' | 'tool'
}

/** Which questions the list shows. `history` has all that are settled. */
export type Place = 'waiting' | 'history'

export const firstViews: Record<Place, ListView> = {
  waiting: { search: '', show: 'waiting', sort: 'oldest', group: 'none' },
  history: { search: '', show: 'waiting', sort: 'newest', group: 'none' },
}

/** The rows that a list shows before search and filter. */
export const rowsOf = (rows: readonly Row[], place: Place): readonly Row[] =>
  rows.filter(({ isPast, isSettled }) => (place === 'history' ? isSettled : !isPast))

const HOUR = 3_600_000
const kinds = { approvals: 'approval', forms: 'input', accounts: 'connect' } as const
const rank = { high: 0, medium: 1, low: 3 } as const
const rankOf = ({ risk }: Row) => (risk ? rank[risk] : 2)
/** A question without a deadline comes last. */
const due = ({ dueAt }: Row) => (Number.isFinite(dueAt) ? dueAt : Number.MAX_SAFE_INTEGER)

const sorts: Record<ListView['sort'], (one: Row, other: Row) => number> = {
  oldest: (one, other) => one.askedAt - other.askedAt,
  newest: (one, other) => other.askedAt - one.askedAt,
  due: (one, other) => due(one) - due(other),
  risk: (one, other) => rankOf(one) - rankOf(other),
}

/** A heading of a group, or a row, in the order of the list. */
export type Line = { type: 'heading'; text: string; count: number } | { type: 'row'; row: Row }

/**
 * The lines of the list. Rows that were settled stay in their place among those that wait until the person hides them:
 * `hidden` has these.
 */
export function linesOf(rows: readonly Row[], view: ListView, hidden: ReadonlySet<string>, now: number): Line[] {
  const words = view.search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const shown = rows
    .filter((row) => isShown(row, view.show, hidden, now))
    .filter(({ text, agent, chat, tool }) => {
      const all = `${text} ${agent} ${chat} ${tool}`.toLocaleLowerCase()
      return words.every((word) => all.includes(word))
    })
    .sort((one, other) => sorts[view.sort](one, other) || (one.key < other.key ? -1 : 1))
  const { group } = view
  if (group === 'none') return shown.map((row) => ({ type: 'row', row }))
  const groups = new Map<string, Row[]>()
  for (const row of shown) groups.set(row[group], [...(groups.get(row[group]) ?? []), row])
  return [...groups].flatMap(([text, members]): Line[] => [
    { type: 'heading', text, count: members.length },
    ...members.map((row): Line => ({ type: 'row', row })),
  ])
}

function isShown(row: Row, show: ListView['show'], hidden: ReadonlySet<string>, now: number): boolean {
  if (show === 'settled') return row.isSettled
  if (hidden.has(row.key)) return false
  if (show === 'waiting') return true
  if (show === 'high') return row.risk === 'high'
  if (show === 'due') return row.dueAt - now < HOUR
  return row.interaction.kind === kinds[show]
}

/** Requests that differ in their values alone: one tool, one agent, one shape of arguments, low risk. */
export interface Similar {
  key: string
  tool: string
  rows: readonly Row[]
}

export function similarOf(rows: readonly Row[]): Similar[] {
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const key = similarKey(row)
    if (key !== undefined) found.set(key, [...(found.get(key) ?? []), row])
  }
  return [...found].flatMap(([key, members]) =>
    members.length > 1 ? [{ key, tool: members[0]!.tool, rows: members }] : [],
  )
}

/** Undefined if the person must read the question itself. */
function similarKey({ interaction, risk, agent, isSettled }: Row): string | undefined {
  const request = questionOf(interaction)
  if (isSettled || interaction.kind !== 'approval' || risk !== 'low' || !request) return undefined
  // Changes to files, refused edits and consequences are read one by one.
  if (request.diff?.length || request.draftArgs !== undefined || request.error || request.facts?.length)
    return undefined
  if (interaction.deferred) return undefined
  return JSON.stringify([interaction.toolName, agent, shapeOf(request.args), request.labels?.approve !== undefined])
}

/** The names and kinds of values, without the values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [[...new Set(value.map((one) => JSON.stringify(shapeOf(one))))].sort()]
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.entries(value)
    .map(([key, inner]) => [key, shapeOf(inner)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
}
