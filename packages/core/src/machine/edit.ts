import { isOpen } from './interaction.ts'
import { keep } from './keep.ts'
import type {
  AnnouncementKind,
  Interaction,
  MachineEffect,
  RunState,
  SessionState,
  ToolCallState,
  Topic,
} from './types.ts'
import type { VersionedMap } from './versioned-map.ts'

/** One of the state's maps with what a transition changes in it. */
export interface Draft<V> {
  readonly before: ReadonlyMap<string, V>
  readonly changes: Map<string, V>
  get(key: string): V | undefined
}

/**
 * One transition in the making. Changes are collected beside the state and laid over it once, at the end, so that a
 * batch of any size copies its maps and lists once.
 */
export interface Edit {
  readonly base: SessionState
  readonly interactions: Draft<Interaction>
  readonly toolCalls: Draft<ToolCallState>
  readonly runs: Draft<RunState>
  /** Lists that were copied in this transition: nobody else holds them yet, so they may grow in place. */
  readonly own: Set<readonly unknown[]>
  /** The own copy that was written into last. */
  call: OwnCall | undefined
}

export type OwnCall = { -readonly [K in keyof ToolCallState]: ToolCallState[K] }

export const edit = (base: SessionState): Edit => ({
  base,
  interactions: draft(base.interactions),
  toolCalls: draft(base.toolCalls),
  runs: draft(base.runs),
  own: new Set(),
  call: undefined,
})

function draft<V>(before: ReadonlyMap<string, V>): Draft<V> {
  const changes = new Map<string, V>()
  return { before, changes, get: (key) => changes.get(key) ?? before.get(key) }
}

/** Changes a question that is known; events about others are not for us to guess at. */
export function change({ interactions }: Edit, id: string, step: (it: Interaction) => Interaction): void {
  const before = interactions.get(id)
  const after = before && step(before)
  if (after && after !== before) interactions.changes.set(id, after)
}

export function append<T>({ own }: Edit, list: readonly T[], items: readonly T[]): readonly T[] {
  if (own.has(list)) {
    for (const item of items) (list as T[]).push(item)
    return list
  }
  const longer = [...list, ...items]
  own.add(longer)
  return longer
}

/** Which keys of the state are told of under which topic. */
const scalars: [Topic, ...(keyof SessionState)[]][] = [
  ['pending', 'pendingIds'],
  ['connection', 'connection'],
  ['mode', 'interactiveMode'],
  ['session', 'you', 'ready', 'clockOffset'],
]

/**
 * The next state, with what to tell whom about it; the state of before when nothing changed. `before` is another than
 * the edit's base when what was known counts no more.
 */
export function finish(
  edit: Edit,
  more: Partial<SessionState>,
  before: SessionState = edit.base,
): [SessionState, MachineEffect[]] {
  const topics: Topic[] = []
  const effects: MachineEffect[] = []
  const pending = new Set(edit.base.pendingIds)
  let moved = edit.base !== before

  for (const [id, it] of edit.interactions.changes) {
    if (isOpen(it) === pending.has(id)) continue
    moved = true
    if (!pending.delete(id)) pending.add(id)
  }
  function over<V>(
    draft: Draft<V>,
    known: ReadonlyMap<string, V>,
    changed: (is: V | undefined, was: V | undefined, key: string) => void,
  ) {
    const { changes } = draft
    // What of the old is not in the new has changed as well.
    const keys = known === draft.before ? changes.keys() : new Set([...known.keys(), ...changes.keys()])
    for (const key of keys) {
      const was = known.get(key)
      const is = draft.get(key)
      if (is !== was) changed(is, was, key)
    }
    return changes.size ? (draft.before as VersionedMap<V>).with(changes) : draft.before
  }
  const after: SessionState = {
    ...before,
    interactions: over(edit.interactions, before.interactions, (is, was, interactionId) => {
      topics.push(`interaction:${interactionId}`)
      const kind = before.ready && is && news(is, was)
      if (kind) effects.push({ type: 'announce', kind, interactionId })
    }),
    toolCalls: over(edit.toolCalls, before.toolCalls, (is, was) => topics.push(`call:${(is ?? was)!.toolCallId}`)),
    runs: over(edit.runs, before.runs, (_is, _was, id) => topics.push(`run:${id}`)),
    pendingIds: moved ? keep(before.pendingIds, [...pending]) : before.pendingIds,
    ...more,
  }
  for (const [topic, ...keys] of scalars) if (keys.some((key) => before[key] !== after[key])) topics.push(topic)
  if (!topics.length) return [before.cursor === after.cursor ? before : after, effects]
  return [{ ...after, version: before.version + 1 }, [{ type: 'changed', topics }, ...effects]]
}

/** What a change is worth saying aloud as. */
function news(after: Interaction, before: Interaction | undefined): AnnouncementKind | undefined {
  if (isOpen(after)) return before ? undefined : 'asked'
  // A prompt that is asked again says so by its successor.
  if (before?.status === after.status || after.replacedBy) return undefined
  return after.status === 'answered' ? 'answered' : 'closed'
}
