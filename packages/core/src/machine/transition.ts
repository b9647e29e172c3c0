import { cursorSeq, emptyTag, parseCursor } from '../wire/cursor.ts'
import { applyEvent } from './apply-event.ts'
import { applySnapshot, identity } from './apply-snapshot.ts'
import { Edit } from './edit.ts'
import { equal } from './equal.ts'
import { isOpen } from './interaction.ts'
import { report } from './report.ts'
import type { Interaction, LogEntry, MachineEffect, MachineInput, SessionState } from './types.ts'

/**
 * The whole machine: the next state of a session, and what is to be done about it. Pure; it reads no clock.
 * When nothing changed, the state that comes back is the one that went in.
 *
 * @example
 * const [next, effects] = transition(state, { type: 'events', events }, Date.now())
 */
export function transition(state: SessionState, input: MachineInput, now: number): [SessionState, MachineEffect[]] {
  switch (input.type) {
    case 'events':
      return applyEvents(state, input)
    case 'snapshot': {
      const { snapshot, log } = input
      if (!log) return applySnapshot(state, snapshot, now)
      const ready = state.ready || (!snapshot.interactions.length && !snapshot.runs.length)
      const place = parseCursor(snapshot.cursor)
      // Before the first event of this very log, so that the first one to arrive shows whether it is the first.
      const cursor = state.cursor ?? (place && `${place.epoch}.0.${emptyTag}`)
      return report(state, { ...state, ...identity(state, snapshot, now), cursor, ready })
    }
    case 'reset':
      // Behind the log's floor it is still the same history; in all other cases ours is void. It stays on screen
      // until the snapshot comes.
      return [input.reason === 'trimmed' ? state : { ...state, cursor: null }, []]
    case 'connection':
      return equal(state.connection, input.connection)
        ? [state, []]
        : report(state, { ...state, connection: input.connection })
    case 'mode':
      return state.interactiveMode === input.enabled
        ? [state, []]
        : report(state, { ...state, interactiveMode: input.enabled })
    default: {
      const edit = new Edit(state)
      edit.change(input.interactionId, (it) => applyAnswer(it, input, state.clientId))
      return edit.interactions.size ? finished(edit, {}) : [state, []]
    }
  }
}

const finished = (edit: Edit, scalars: Partial<SessionState>) =>
  report(edit.base, edit.finish(scalars), {
    interactions: edit.interactions.keys(),
    calls: edit.calls.keys(),
    runs: edit.runs.keys(),
  })

/** Not a place in any log: nothing comes next after it. */
const nowhere = { epoch: '', seq: Number.NaN }

function applyEvents(
  state: SessionState,
  { events, unread = 0 }: MachineInput & { type: 'events' },
): [SessionState, MachineEffect[]] {
  const edit = new Edit(state)
  const applied: LogEntry[] = []
  let cursor = state.cursor
  let { epoch, seq } = parseCursor(cursor) ?? nowhere
  let reason: 'gap' | 'epoch' | 'forked' | undefined
  for (const entry of events) {
    // Nearly always it is the next one: then its cursor need not be taken apart.
    if (cursorSeq(epoch, entry.cursor) === seq + 1) seq++
    else {
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
      ;({ epoch, seq } = at ?? nowhere)
    }
    applyEvent(edit, entry.event)
    applied.push(entry)
    cursor = entry.cursor
  }
  const [next, effects] = applied.length ? finished(edit, { cursor, ready: true }) : [state, []]
  if (applied.length) effects.push({ type: 'applied', events: applied })
  if (reason) effects.push({ type: 'resync', reason })
  return [next, effects]
}

type AnswerInput = Extract<MachineInput, { type: 'submit' | 'accepted' | 'rejected' }>

function applyAnswer(it: Interaction, input: AnswerInput, clientId: string): Interaction {
  const problem = undefined
  if (!isOpen(it)) return it
  if (input.type === 'submit') {
    const { answerId, answer } = input
    return it.status === 'submitting' ? it : { ...it, status: 'submitting', draft: { answerId, answer }, problem }
  }
  if (it.draft?.answerId !== input.answerId) return it
  if (input.type === 'accepted') return { ...it, status: 'answered', answeredHere: true, problem }
  const { status, answeredBy, answeredAt } = input
  return {
    ...it,
    status,
    problem: input.problem,
    answeredBy,
    answeredAt,
    answeredHere: answeredBy?.clientId === clientId,
  }
}
