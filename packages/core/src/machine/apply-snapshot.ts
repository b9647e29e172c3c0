import type { InteractionRequestEvent, SessionSnapshot } from '../protocol/index.ts'
import { parseCursor } from '../wire/cursor.ts'
import { addInteraction, applyEvent, callOf } from './apply-event.ts'
import { change, edit as editOf, finish } from './edit.ts'
import { initialState } from './initial.ts'
import { fromSnapshot, isOpen, replace } from './interaction.ts'
import { keep } from './keep.ts'
import type { Interaction, MachineEffect, SessionState } from './types.ts'

/**
 * Takes over where the session stands. What the same history had said before stays where the snapshot is silent (it
 * lists old answers only so far back, and no logs); of another history (a restored backup) nothing stays. What did not
 * change keeps its identity.
 */
export function applySnapshot(
  state: SessionState,
  snapshot: SessionSnapshot,
  now: number,
): [SessionState, MachineEffect[]] {
  const goesOn = sameHistory(state.cursor, snapshot.cursor)
  const edit = editOf(goesOn ? state : initialState(state))
  // Another event is no question, whatever it says.
  const items = snapshot.interactions.filter(
    ({ request: { type } }) => type === 'interaction_request' || type === 'auth_needed',
  )
  const listed = items.map((item) => {
    const fresh = fromSnapshot(item, state.clientId)
    const known = state.interactions.get(fresh.interactionId)
    return known ? keep(known, merged(fresh, known, goesOn)) : fresh
  })
  // Stable, so that what the clock cannot tell apart stays in the server's order.
  for (const next of listed.sort((a, b) => askedAt(a) - askedAt(b))) {
    if (edit.interactions.get(next.interactionId)) change(edit, next.interactionId, () => next)
    else addInteraction(edit, next)
  }
  // Once more for those whose successor came first.
  for (const { replaces, interactionId } of listed)
    if (replaces) change(edit, replaces, (before) => replace(before, interactionId))
  const ids = new Set(listed.map((it) => it.interactionId))
  // Open questions come first in a snapshot: one that is not there has ended, longer ago than it remembers.
  for (const id of edit.base.pendingIds)
    if (!ids.has(id)) change(edit, id, (it) => ({ ...it, status: 'superseded', draft: undefined }))
  for (const { running, request } of items)
    if (running) callOf(edit, request as InteractionRequestEvent).status = 'running'
  for (const run of snapshot.runs) applyEvent(edit, { ...run, type: 'run_status' })
  return finish(edit, { ...identity(state, snapshot, now), cursor: snapshot.cursor, ready: true }, state)
}

/** Who we are and what time it is. */
export const identity = (
  state: SessionState,
  { you, serverTime }: SessionSnapshot,
  now: number,
): Partial<SessionState> => ({ you: keep(state.you, you), clockOffset: Date.parse(serverTime) - now })

function sameHistory(known: string | null, told: string): boolean {
  const from = parseCursor(known)
  const to = parseCursor(told)
  return !!from && from.epoch === to?.epoch && from.seq <= to.seq
}

/** What this client knows of its own answer outlives a snapshot that was taken before it. */
function merged(fresh: Interaction, known: Interaction, goesOn: boolean): Interaction {
  const { status, draft, problem, answeredHere, answeredBy, answeredAt, replacedBy } = known
  const next = goesOn && replacedBy ? replace(fresh, replacedBy) : fresh
  if (!draft || !isOpen(next)) return next
  if (!goesOn && !isOpen(known)) return { ...next, draft }
  return { ...next, status, draft, problem, answeredHere, answeredBy, answeredAt }
}

const askedAt = ({ request }: Interaction): number => Date.parse((request as InteractionRequestEvent).timestamp)
