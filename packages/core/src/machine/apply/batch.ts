import { isOpen } from '../state/interaction.ts'
import type {
  Interaction,
  LogEntry,
  MachineEffect,
  RunState,
  SessionState,
  ToolCallState,
  Topic,
} from '../state/types.ts'
import type { VersionedMap } from '../state/versioned-map.ts'

/**
 * One transition in the making. Changes are collected beside the state and laid over it once, at the end, so that a
 * batch of any size copies its lists once.
 */
export interface Edit {
  readonly base: SessionState
  readonly interactions: Map<string, Interaction>
  readonly toolCalls: Map<string, ToolCallState>
  readonly runs: Map<string, RunState>
  /** The call that was written into last, and what it was before: nobody else holds yet what differs in it. */
  call: OwnCall | undefined
  was: ToolCallState | undefined
}

export type OwnCall = { -readonly [K in keyof ToolCallState]: ToolCallState[K] }

export const edit = (base: SessionState): Edit => ({
  base,
  interactions: new Map(),
  toolCalls: new Map(),
  runs: new Map(),
  call: undefined,
  was: undefined,
})

export const question = ({ interactions, base }: Edit, id: string): Interaction | undefined =>
  interactions.get(id) ?? base.interactions.get(id)

/** Changes a question that is known; events about others are not for us to guess at. What says the same is no change. */
export function change(
  edit: Edit,
  id: string,
  step: (it: Interaction) => Partial<Interaction> | undefined | false,
): void {
  const it = question(edit, id)
  const changes = it && step(it)
  for (const key in changes || undefined)
    if (it![key as keyof Interaction] !== (changes as Partial<Interaction>)[key as keyof Interaction])
      return void edit.interactions.set(id, { ...it!, ...changes })
}

/** The next state, what to tell whom, and of a log which events were new, and why it cannot be read on. */
export type Change = [
  next: SessionState,
  topics: readonly Topic[],
  applied?: readonly LogEntry[],
  resync?: Extract<MachineEffect, { type: 'resync' }>['reason'] | undefined,
]

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
export function finish(edit: Edit, more: Partial<SessionState>, before: SessionState = edit.base): Change {
  const { base } = edit
  const topics: Topic[] = []
  function over<V>(
    known: ReadonlyMap<string, V>,
    was: ReadonlyMap<string, V>,
    changes: Map<string, V>,
    topic: (key: string, value: V) => Topic,
  ) {
    for (const [key, value] of changes) if (was.get(key) !== value) topics.push(topic(key, value))
    // What of another history is not in this one has changed as well.
    if (base !== before) for (const [key, value] of was) if (!changes.has(key)) topics.push(topic(key, value))
    return changes.size ? (known as VersionedMap<V>).with(changes) : known
  }
  const pending = new Set(edit.interactions.size ? base.pendingIds : [])
  let moved = base !== before && before.pendingIds.length > 0
  for (const [id, it] of edit.interactions) {
    if (isOpen(it) === pending.has(id)) continue
    moved = true
    if (!pending.delete(id)) pending.add(id)
  }
  const after: SessionState = {
    ...before,
    interactions: over(base.interactions, before.interactions, edit.interactions, (id) => `interaction:${id}`),
    toolCalls: over(base.toolCalls, before.toolCalls, edit.toolCalls, (_, call) => `call:${call.toolCallId}`),
    runs: over(base.runs, before.runs, edit.runs, (id) => `run:${id}`),
    pendingIds: moved ? [...pending] : before.pendingIds,
    ...more,
  }
  for (const [topic, ...keys] of scalars) if (keys.some((key) => before[key] !== after[key])) topics.push(topic)
  if (!topics.length) return [before.cursor === after.cursor ? before : after, topics]
  return [{ ...after, version: before.version + 1 }, topics]
}

/** The state with some of its scalars changed. */
export const update = (state: SessionState, more: Partial<SessionState>): Change => finish(edit(state), more)
