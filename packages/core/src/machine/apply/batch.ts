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
 * A transition in progress. It collects changes and applies them once at the end, so that a batch of any size copies
 * its lists once.
 */
export interface Edit {
  readonly base: SessionState
  readonly interactions: Map<string, Interaction>
  readonly toolCalls: Map<string, ToolCallState>
  readonly runs: Map<string, RunState>
  /**
   * The call that was changed last, and its original. Until the edit is finished, no other code holds the changed copy.
   */
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

/** Changes a known question. Events of unknown questions are ignored, and a patch without a difference is no change. */
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

/** The next state, its effects and topics; for a log also the new events, and the reason why it cannot be continued. */
export type Change = [
  next: SessionState,
  topics: readonly Topic[],
  applied?: readonly LogEntry[],
  resync?: Extract<MachineEffect, { type: 'resync' }>['reason'] | undefined,
]

/** The keys of the state that belong to each topic. */
const scalars: [Topic, ...(keyof SessionState)[]][] = [
  ['pending', 'pendingIds'],
  ['connection', 'connection'],
  ['mode', 'interactiveMode'],
  ['session', 'you', 'ready', 'clockOffset'],
]

/**
 * Returns the next state with its topics, or the previous state if nothing changed. `before` differs from the edit's
 * base if the known state became invalid.
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
    // Questions that are missing in the new history have changed as well.
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

/** Returns the state with some of its scalar values changed. */
export const update = (state: SessionState, more: Partial<SessionState>): Change => finish(edit(state), more)
