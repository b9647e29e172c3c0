import { isOpen } from './interaction.ts'
import type { AnnouncementKind, Interaction, MachineEffect, SessionState, Topic } from './types.ts'

/** The next state with what to tell whom about it. `touched` limits the comparison to what can have changed. */
export function report(
  before: SessionState,
  after: SessionState,
  touched: { interactions: Iterable<string>; calls: Iterable<string>; runs: Iterable<string> } = nothing,
): [SessionState, MachineEffect[]] {
  const topics: Topic[] = []
  const effects: MachineEffect[] = []
  for (const id of touched.interactions) {
    const was = before.interactions.get(id)
    const is = after.interactions.get(id)
    if (is === was) continue
    topics.push(`interaction:${id}`)
    const kind = before.ready && is && news(was, is)
    if (kind) effects.push({ type: 'announce', kind, interactionId: id })
  }
  for (const key of touched.calls) {
    const is = after.toolCalls.get(key)
    const was = before.toolCalls.get(key)
    if (is !== was) topics.push(`call:${(is ?? was)?.toolCallId}`)
  }
  for (const id of touched.runs) if (before.runs.get(id) !== after.runs.get(id)) topics.push(`run:${id}`)
  const differ = (...keys: (keyof SessionState)[]) => keys.some((key) => before[key] !== after[key])
  if (differ('pendingIds')) topics.push('pending')
  if (differ('connection')) topics.push('connection')
  if (differ('interactiveMode')) topics.push('mode')
  if (differ('ready', 'you', 'clockOffset')) topics.push('session')
  if (!topics.length) return [after, effects]
  return [{ ...after, version: before.version + 1 }, [{ type: 'changed', topics }, ...effects]]
}

const nothing = { interactions: [], calls: [], runs: [] }

/** What a change is worth saying aloud as. */
function news(before: Interaction | undefined, after: Interaction): AnnouncementKind | undefined {
  if (isOpen(after)) return before ? undefined : 'asked'
  // A prompt that is asked again says so by its successor.
  if (before?.status === after.status || after.replacedBy) return undefined
  return after.status === 'answered' ? 'answered' : 'closed'
}
