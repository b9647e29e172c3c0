import { emptyTag, nextAfter, parseCursor } from '../wire/cursor.ts'
import { applyEvent } from './apply-event.ts'
import { applySnapshot, identity } from './apply-snapshot.ts'
import { change, edit as editOf, finish } from './edit.ts'
import { isOpen } from './interaction.ts'
import { keep } from './keep.ts'
import type { Interaction, LogEntry, MachineEffect, MachineInput, SessionState } from './types.ts'

/**
 * The whole machine: the next state of a session, and what is to be done about it. Pure; it reads no clock.
 * When nothing changed, the state that comes back is the one that went in.
 *
 * @example
 * const [next, effects] = transition(state, { type: 'events', events }, Date.now())
 */
export function transition(state: SessionState, input: MachineInput, now: number): [SessionState, MachineEffect[]] {
  const { type } = input
  if (type === 'events') return applyEvents(state, input)
  if (type === 'snapshot' && !input.log) return applySnapshot(state, input.snapshot, now)
  const edit = editOf(state)
  let more: Partial<SessionState> = {}
  if (type === 'snapshot') {
    const { snapshot } = input
    const place = parseCursor(snapshot.cursor)
    more = {
      ...identity(state, snapshot, now),
      // Before the first event of this very log, so that the first one to arrive shows whether it is the first.
      cursor: state.cursor ?? (place && `${place.epoch}.0.${emptyTag}`),
      ready: state.ready || (!snapshot.interactions.length && !snapshot.runs.length),
    }
  } else if (type === 'reset') {
    // Behind the log's floor it is still the same history; in all other cases ours is void. It stays on screen until
    // the snapshot comes.
    if (input.reason !== 'trimmed') more = { cursor: null }
  } else if (type === 'connection') more = { connection: keep(state.connection, input.connection) }
  else if (type === 'mode') more = { interactiveMode: input.enabled }
  else change(edit, input.interactionId, (it) => answered(it, input, state.clientId))
  return finish(edit, more)
}

function applyEvents(
  state: SessionState,
  { events, unread = 0 }: MachineInput & { type: 'events' },
): [SessionState, MachineEffect[]] {
  const edit = editOf(state)
  const applied: LogEntry[] = []
  let { cursor } = state
  const known = parseCursor(cursor)
  let isNext = known && nextAfter(known)
  let reason: 'gap' | 'epoch' | 'forked' | undefined
  for (const entry of events) {
    // Nearly always it is the next one: then its cursor need not be taken apart.
    if (!isNext?.(entry.cursor)) {
      const place = parseCursor(cursor)
      const at = parseCursor(entry.cursor)
      // A recorded log may carry cursors of its own making; then only an exact repeat can be recognised.
      if (place && at) {
        const missing = at.seq - place.seq - 1
        if (at.epoch !== place.epoch) reason = 'epoch'
        else if (missing === -1 && at.tag !== place.tag) reason = 'forked'
        else if (missing > unread) reason = 'gap'
        if (reason) break
        if (missing < 0) continue
        unread -= missing
      } else if (entry.cursor === cursor) continue
      isNext = at && nextAfter(at)
    }
    applyEvent(edit, entry.event)
    applied.push(entry)
    cursor = entry.cursor
  }
  const [next, effects] = applied.length ? finish(edit, { cursor, ready: true }) : [state, []]
  if (applied.length) effects.push({ type: 'applied', events: applied })
  if (reason) effects.push({ type: 'resync', reason })
  return [next, effects]
}

type AnswerInput = Extract<MachineInput, { type: 'submit' | 'accepted' | 'rejected' }>

function answered(it: Interaction, input: AnswerInput, clientId: string): Partial<Interaction> | false {
  const { answerId } = input
  if (input.type === 'submit')
    return (
      isOpen(it) &&
      it.status !== 'submitting' && {
        status: 'submitting',
        draft: { answerId, answer: input.answer },
        problem: undefined,
      }
    )
  if (!isOpen(it) || it.draft?.answerId !== answerId) return false
  if (input.type === 'accepted') return { status: 'answered', answeredHere: true, problem: undefined }
  const { status, problem, answeredBy, answeredAt } = input
  return { status, problem, answeredBy, answeredAt, answeredHere: answeredBy?.clientId === clientId }
}
