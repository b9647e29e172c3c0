import type { Principal } from '../../base/principal.ts'
import { recordNow } from '../../engine/api/call-steps.ts'
import type { Session } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'

/**
 * If a request ends without an answer, the model repeats it with the same arguments. Only the arguments show the server
 * that both requests are one call. The id of the call is therefore stored under its tool and arguments, until one
 * request has returned its result. A later request with the same arguments is a new call with a new question.
 */
const RUN = 'mcp repeats'
const TOOL = 'mcp_repeats'
const PAGE = 16

/** A call whose next request is expected. */
export interface Repeat {
  call: string
  place: number
}

/** Returns the first call with this tool and these arguments whose result was not returned yet. */
export async function findRepeat(
  holdpoint: Holdpoint,
  { sessionId }: Session,
  { tenant = '', userId }: Principal,
  key: string,
): Promise<Repeat | undefined> {
  const engine = engineOf(holdpoint)
  // Prepares the store, and rejects a user who does not own the session.
  const mine = await engine.access({ userId, tenant }, sessionId, 'read')
  if (!mine) return undefined
  for (let from = 0; ; from += PAGE) {
    const places = Array.from({ length: PAGE }, (_, n) => from + n)
    const steps = places.flatMap((place) => ['call', 'taken'].map((name) => ({ ...idsOf(key, place), name })))
    const values = await engine.reads.recorded({ tenant, sessionId }, steps)
    for (const place of places) {
      const [call, taken] = values.slice((place - from) * 2, (place - from) * 2 + 2)
      if (call === undefined) return undefined
      if (taken === undefined) return { call: String(call), place }
    }
  }
}

/** Stores the id of a call for its next request. */
export async function keepForRepeat(session: Session, key: string, call: string): Promise<void> {
  for (let place = 0; (await recordNow(gateOf(session, key, place), 'call', call)) !== call; place++) {}
}

/** Records that a request has returned the result of the call. */
export async function takeRepeat(session: Session, key: string, { place, call }: Repeat): Promise<void> {
  await recordNow(gateOf(session, key, place), 'taken', call)
}

const idsOf = (key: string, place: number) => ({ runId: RUN, toolCallId: `${key} ${place}` })

const gateOf = (session: Session, key: string, place: number) => session.gate({ ...idsOf(key, place), toolName: TOOL })
