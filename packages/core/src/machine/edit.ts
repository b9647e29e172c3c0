import { isOpen } from './interaction.ts'
import type { Interaction, RunState, SessionState, ToolCallState } from './types.ts'
import type { VersionedMap } from './versioned-map.ts'

/**
 * One transition in the making. Changes are collected beside the state and laid over it once, at the end, so that a
 * batch of any size copies its maps and lists once.
 */
export class Edit {
  readonly base: SessionState
  readonly interactions = new Map<string, Interaction>()
  readonly calls = new Map<string, ToolCallState>()
  readonly runs = new Map<string, RunState>()
  /** Lists that were copied in this transition: nobody else holds them yet, so they may grow in place. */
  private readonly own = new Set<readonly unknown[]>()

  constructor(base: SessionState) {
    this.base = base
  }

  interaction(id: string): Interaction | undefined {
    return this.interactions.get(id) ?? this.base.interactions.get(id)
  }

  call(key: string): ToolCallState | undefined {
    return this.calls.get(key) ?? this.base.toolCalls.get(key)
  }

  /** Changes a question that is known; events about others are not for us to guess at. */
  change(id: string, step: (interaction: Interaction) => Interaction): void {
    const before = this.interaction(id)
    const after = before && step(before)
    if (after && after !== before) this.interactions.set(id, after)
  }

  append<T>(list: readonly T[], items: readonly T[]): readonly T[] {
    if (!this.own.has(list)) {
      list = [...list]
      this.own.add(list)
    }
    for (const item of items) (list as T[]).push(item)
    return list
  }

  finish(scalars: Partial<SessionState>): SessionState {
    const { base, interactions, calls, runs } = this
    const added: string[] = []
    const gone = new Set<string>()
    for (const [id, interaction] of interactions) {
      const before = base.interactions.get(id)
      const wasOpen = before && isOpen(before)
      if (isOpen(interaction) && !wasOpen) added.push(id)
      else if (!isOpen(interaction) && wasOpen) gone.add(id)
    }
    const left = gone.size ? base.pendingIds.filter((id) => !gone.has(id)) : base.pendingIds
    return {
      ...base,
      interactions: over(base.interactions, interactions),
      toolCalls: over(base.toolCalls, calls),
      runs: over(base.runs, runs),
      pendingIds: added.length ? [...left, ...added] : left,
      ...scalars,
    }
  }
}

const over = <V>(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V>): ReadonlyMap<string, V> =>
  changes.size ? (base as VersionedMap<V>).with(changes) : base
