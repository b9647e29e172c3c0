import { isOpen } from './interaction.ts'
import { LayeredMap } from './layered-map.ts'
import type { Interaction, MachineEffect, RunState, SessionState, ToolCallState, Topic } from './types.ts'

/**
 * One transition in the making. Changes are collected over the state and become part of it once, at the end, so that a
 * batch of any size copies its maps and lists once.
 */
export interface Edit {
  readonly base: SessionState
  readonly interactions: LayeredMap<Interaction>
  readonly toolCalls: LayeredMap<ToolCallState>
  readonly runs: LayeredMap<RunState>
  /** What was copied in this transition: nobody else holds it yet, so it may be written into. */
  readonly own: Set<unknown>
  /** The call that was written into last. */
  call?: OwnCall
}

export type OwnCall = { -readonly [K in keyof ToolCallState]: ToolCallState[K] }

export const edit = (base: SessionState): Edit => ({
  base,
  interactions: new LayeredMap(base.interactions),
  toolCalls: new LayeredMap(base.toolCalls),
  runs: new LayeredMap(base.runs),
  own: new Set(),
})

/** Changes a question that is known; events about others are not for us to guess at. What says the same is no change. */
export function change(
  { interactions }: Edit,
  id: string,
  step: (it: Interaction) => Partial<Interaction> | undefined | false,
): void {
  const it = interactions.get(id)
  const changes = it && step(it)
  if (changes && Object.entries(changes).some(([key, value]) => it[key as keyof Interaction] !== value))
    interactions.top.set(id, { ...it, ...changes })
}

/** What may be written into in this transition. */
export function own<T extends object>({ own }: Edit, value: T): T {
  if (own.has(value)) return value
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as T
  own.add(copy)
  return copy
}

/** Which keys of the state are told of under which topic. */
const scalars: Partial<Record<keyof SessionState, Topic>> = {
  pendingIds: 'pending',
  connection: 'connection',
  interactiveMode: 'mode',
  you: 'session',
  ready: 'session',
  clockOffset: 'session',
}

/**
 * The next state, with what to tell whom about it; the state of before when nothing changed. `before` is another than
 * the edit's base when what was known counts no more.
 */
export function finish(
  edit: Edit,
  more: Partial<SessionState>,
  before: SessionState = edit.base,
): [SessionState, MachineEffect[]] {
  const topics = new Set<Topic>()
  function over<V>(was: ReadonlyMap<string, V>, draft: LayeredMap<V>, topic: 'interaction' | 'call' | 'run') {
    let next = was
    // What of another history is not in this one has changed as well.
    for (const key of new Set([...(edit.base === before ? [] : was.keys()), ...draft.top.keys()])) {
      if (was.get(key) === draft.get(key)) continue
      next = draft
      topics.add(`${topic}:${key.split('\n')[0]}`)
    }
    return next === draft ? draft.settle() : next
  }
  const pending = new Set(edit.base.pendingIds)
  let moved = edit.base !== before && before.pendingIds.length > 0
  for (const [id, it] of edit.interactions.top) {
    if (isOpen(it) === pending.has(id)) continue
    moved = true
    if (!pending.delete(id)) pending.add(id)
  }
  const after: SessionState = {
    ...before,
    interactions: over(before.interactions, edit.interactions, 'interaction'),
    toolCalls: over(before.toolCalls, edit.toolCalls, 'call'),
    runs: over(before.runs, edit.runs, 'run'),
    pendingIds: moved ? [...pending] : before.pendingIds,
    ...more,
  }
  for (const key in scalars)
    if (before[key as keyof SessionState] !== after[key as keyof SessionState])
      topics.add(scalars[key as keyof SessionState]!)
  if (!topics.size) return [before.cursor === after.cursor ? before : after, []]
  return [{ ...after, version: before.version + 1 }, [{ type: 'changed', topics: [...topics] }]]
}
