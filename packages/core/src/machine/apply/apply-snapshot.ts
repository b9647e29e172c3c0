import type { InteractionRequestEvent, KnownEvent } from '../../protocol/events.ts'
import type { SessionSnapshot } from '../../protocol/snapshot.ts'

import { emptyTag, parseCursor } from '../../wire/events/cursor.ts'
import { initialState } from '../state/initial.ts'
import { isOpen, step } from '../state/interaction.ts'
import { keep } from '../state/structural-sharing.ts'
import type { SessionState } from '../state/types.ts'
import { applyEvent, callOf, replace } from './apply-event.ts'
import { type Change, change, edit as editOf, finish, update } from './batch.ts'

/**
 * Applies the current state of the session. A snapshot consists of events, and applying an event twice changes nothing.
 * If the history is the same, only new facts change the state, and facts that the snapshot omits stay (it has no logs
 * and only recent answers). If the history is another one (after a restored backup), only answers that are being sent
 * stay.
 */
export function applySnapshot(state: SessionState, snapshot: SessionSnapshot, now: number): Change {
  const { clientId, interactions } = state
  const from = parseCursor(state.cursor)
  const to = parseCursor(snapshot.cursor)
  const sameLog = from && from.epoch === to?.epoch && from.seq <= to.seq
  const edit = editOf(sameLog ? state : initialState(state))
  const ended = new Set(edit.base.pendingIds)
  // A stable order: questions of the same time keep the order of the server. Events of other types are not questions.
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
    // The server refused an answer because its question is another one, which is this request.
    change(edit, interactionId, (it) => it.problem?.code === 'shown_differs' && { request: keep(it.request, request) })
    // The arguments of a known response may have been replaced since.
    const ran = response && 'args' in response && { type: 'interaction_updated', args: response.args }
    for (const event of [{ ...item, type: 'interaction_updated' }, response, ran, closed])
      if (event) change(edit, interactionId, (it) => step(it, event as KnownEvent, clientId))
    change(edit, interactionId, (it) => ({
      connected: keep(it.connected, connected ?? it.connected),
      ...(!sameLog &&
        known?.draft &&
        isOpen(it) && { draft: known.draft, ...(isOpen(known) && { status: known.status, problem: known.problem }) }),
    }))
    if (running) callOf(edit, request).status = 'running'
  }
  // Repeated for questions whose successor preceded them.
  for (const { request } of items) replace(edit, request)
  // A snapshot lists open questions first, so a missing one has ended too long ago to be listed.
  for (const id of ended) change(edit, id, () => ({ status: 'superseded', draft: undefined }))
  for (const run of snapshot.runs) applyEvent(edit, { ...run, type: 'run_status' })
  return finish(edit, { ...identity(state, snapshot, now), cursor: snapshot.cursor, ready: true }, state)
}

/** Applies only the principal and the server's time, because the log itself provides the rest. */
export function enterLog(state: SessionState, snapshot: SessionSnapshot, now: number): Change {
  const place = parseCursor(snapshot.cursor)
  return update(state, {
    ...identity(state, snapshot, now),
    // A cursor before the first event of this log, so that a missing first event is detected.
    cursor: state.cursor ?? (place && `${place.epoch}.0.${emptyTag}`),
    ready: state.ready || (!snapshot.interactions.length && !snapshot.runs.length),
  })
}

/**
 * After `trimmed` the history is still the same. After every other reset the known state is invalid, and stays on
 * screen until the snapshot arrives.
 */
export const applyReset = (state: SessionState, reason: string): Change =>
  update(state, reason === 'trimmed' ? {} : { cursor: null })

/** Returns the principal and the clock offset of a snapshot. */
const identity = (state: SessionState, { you, serverTime }: SessionSnapshot, now: number): Partial<SessionState> => ({
  you: keep(state.you, you),
  clockOffset: Date.parse(serverTime) - now,
})
