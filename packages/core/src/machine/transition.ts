import { applyAnswer } from './apply/apply-answer.ts'
import { applyEvents } from './apply/apply-events.ts'
import { applyReset, applySnapshot, enterLog } from './apply/apply-snapshot.ts'
import { type Change, update } from './apply/batch.ts'
import { keep } from './state/structural-sharing.ts'
import type { MachineEffect, MachineInput, SessionState } from './state/types.ts'

/**
 * Computes the next state of a session and the effects for the client. Pure; it reads no clock. If nothing changed, it
 * returns the same state.
 *
 * @example const [next, effects] = transition(state, { type: 'events', events }, Date.now())
 */
export function transition(state: SessionState, input: MachineInput, now: number): [SessionState, MachineEffect[]] {
  const [next, topics, events = [], reason] = changeOf(state, input, now)
  const effects: MachineEffect[] = []
  if (topics.length) effects.push({ type: 'changed', topics })
  if (events.length) effects.push({ type: 'applied', events })
  if (reason) effects.push({ type: 'resync', reason })
  return [next, effects]
}

function changeOf(state: SessionState, input: MachineInput, now: number): Change {
  switch (input.type) {
    case 'events':
      return applyEvents(state, input.events, input.unread)
    case 'snapshot':
      return (input.log ? enterLog : applySnapshot)(state, input.snapshot, now)
    case 'reset':
      return applyReset(state, input.reason)
    case 'connection':
      return update(state, { connection: keep(state.connection, input.connection) })
    case 'mode':
      return update(state, { interactiveMode: input.enabled })
  }
  return applyAnswer(state, input)
}
