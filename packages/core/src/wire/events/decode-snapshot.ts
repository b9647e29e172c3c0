import { type Check, flag, isObject, list, maybe, object, pathOfFault, text, texts, time } from '../../json/guards.ts'
import { accept, type Decoded, refuse, type WireProblem } from '../../json/result.ts'
import type { SessionSnapshot } from '../../protocol/snapshot.ts'

import { isEvent } from './event-shapes.ts'

const you = /* @__PURE__ */ object((it) => text(it.userId) && texts(it.can))
const run = /* @__PURE__ */ object((it) => text(it.runId) && text(it.status) && maybe(it.reason, text))
const isSnapshot = /* @__PURE__ */ object(
  (it) =>
    text(it.cursor) && time(it.serverTime) && you(it.you) && list(run)(it.runs) && list(isObject)(it.interactions),
)
const isInteraction = /* @__PURE__ */ object(
  (it) =>
    isEvent(it.request) &&
    maybe(it.response, isEvent) &&
    maybe(it.closed, isEvent) &&
    maybe(it.expiresAt, time) &&
    maybe(it.deferred, flag) &&
    maybe(it.connected, texts),
)

/**
 * Reads `GET /sessions/:id`. An unreadable interaction is omitted and reported; the others are kept. Never throws.
 *
 * @example
 * const read = decodeSnapshot(await response.json())
 * if (read.ok) console.log(read.value.snapshot.interactions.length)
 */
export function decodeSnapshot(value: unknown): Decoded<{ snapshot: SessionSnapshot; problems: WireProblem[] }> {
  if (!isSnapshot(value)) return malformed(isSnapshot, value)
  const snapshot = value as unknown as SessionSnapshot
  const problems: WireProblem[] = []
  const interactions = snapshot.interactions.filter((interaction, index) => {
    const fine = isInteraction(interaction)
    if (!fine) problems.push(malformed(isInteraction, interaction, `interactions[${index}]`).problem)
    return fine
  })
  return accept({ snapshot: { ...snapshot, interactions }, problems })
}

function malformed(check: Check, value: unknown, place = '') {
  const path = [place, pathOfFault(check, value)].filter(Boolean).join('.')
  return refuse(
    'malformed_snapshot',
    `A snapshot is malformed at ${path || 'its root: is the server mounted at this url?'}.`,
    path,
  )
}
