import type { InteractionRequestEvent } from '../../protocol/events.ts'
import type { KnownEvent, SessionSnapshot } from '../../protocol/index.ts'
import { emptyTag, parseCursor } from '../../wire/events/cursor.ts'
import { initialState } from '../state/initial.ts'
import { isOpen, step } from '../state/interaction.ts'
import { keep } from '../state/structural-sharing.ts'
import type { SessionState } from '../state/types.ts'
import { applyEvent, callOf, replace } from './apply-event.ts'
import { type Change, change, edit as editOf, finish, update } from './batch.ts'

/**
 * Takes over where the session stands. A snapshot is made of events, and applying one twice changes nothing: so of the
 * same history only what is new in it counts, and what it is silent about stays (it lists old answers only so far back,
 * and no logs). Of another history (a restored backup) nothing stays but answers on their way.
 */
export function applySnapshot(state: SessionState, snapshot: SessionSnapshot, now: number): Change {
  const { clientId, interactions } = state
  const from = parseCursor(state.cursor)
  const to = parseCursor(snapshot.cursor)
  const goesOn = from && from.epoch === to?.epoch && from.seq <= to.seq
  const edit = editOf(goesOn ? state : initialState(state))
  const ended = new Set(edit.base.pendingIds)
  // Stable, so that what the clock cannot tell apart stays in the server's order. Another event is no question.
  const items = snapshot.interactions
    .map((item) => ({ ...item, request: item.request as InteractionRequestEvent }))
    .filter(({ request: { type } }) => type === 'interaction_request' || (type as string) === 'auth_needed')
    .sort((a, b) => Date.parse(a.request.timestamp) - Date.parse(b.request.timestamp))
  for (const item of items) {
    const { request, response, closed, connected, running } = item
    const { interactionId } = request
    const known = interactions.get(interactionId)
    ended.delete(interactionId)
    applyEvent(edit, request)
    // The server refused an answer because it has another question. This is the one.
    change(edit, interactionId, (it) => it.problem?.code === 'shown_differs' && { request: keep(it.request, request) })
    for (const event of [{ ...item, type: 'interaction_updated' }, response, closed])
      if (event) change(edit, interactionId, (it) => step(it, event as KnownEvent, clientId))
    change(edit, interactionId, (it) => ({
      connected: keep(it.connected, connected ?? it.connected),
      ...(!goesOn &&
        known?.draft &&
        isOpen(it) && { draft: known.draft, ...(isOpen(known) && { status: known.status, problem: known.problem }) }),
    }))
    if (running) callOf(edit, request).status = 'running'
  }
  // Once more for those whose successor came first.
  for (const { request } of items) replace(edit, request)
  // Open questions come first in a snapshot: one that is not there has ended, longer ago than it remembers.
  for (const id of ended) change(edit, id, () => ({ status: 'superseded', draft: undefined }))
  for (const run of snapshot.runs) applyEvent(edit, { ...run, type: 'run_status' })
  return finish(edit, { ...identity(state, snapshot, now), cursor: snapshot.cursor, ready: true }, state)
}

/** Takes only who we are and what time it is: the log itself will tell the rest. */
export function enterLog(state: SessionState, snapshot: SessionSnapshot, now: number): Change {
  const place = parseCursor(snapshot.cursor)
  return update(state, {
    ...identity(state, snapshot, now),
    // Before the first event of this very log, so that the first one to arrive shows whether it is the first.
    cursor: state.cursor ?? (place && `${place.epoch}.0.${emptyTag}`),
    ready: state.ready || (!snapshot.interactions.length && !snapshot.runs.length),
  })
}

/**
 * Behind the log's floor it is still the same history; in all other cases ours is void. It stays on screen until the
 * snapshot comes.
 */
export const applyReset = (state: SessionState, reason: string): Change =>
  update(state, reason === 'trimmed' ? {} : { cursor: null })

/** Who we are and what time it is. */
const identity = (state: SessionState, { you, serverTime }: SessionSnapshot, now: number): Partial<SessionState> => ({
  you: keep(state.you, you),
  clockOffset: Date.parse(serverTime) - now,
})
