import type { SessionSnapshot } from '../protocol/index.ts'
import { eventFault } from './decode-event.ts'
import { type Check, compile, type Fault } from './guards.ts'
import { accept, type Decoded, refuse, type WireProblem } from './result.ts'

const outer: Check = /* @__PURE__ */ compile('cursor serverTime:time you:you runs:run[] interactions:object[]', {
  you: 'userId can:text[]',
  run: 'runId status reason?',
})
const extras: Check = /* @__PURE__ */ compile('expiresAt?:time deferred?:flag connected?:text[]')

/**
 * Reads `GET /sessions/:id`. One interaction that cannot be read is left out and reported; the others are not lost
 * with it. Never throws.
 */
export function decodeSnapshot(value: unknown): Decoded<{ snapshot: SessionSnapshot; problems: WireProblem[] }> {
  const fault = outer(value, '')
  if (fault !== undefined) return malformed(fault)
  const snapshot = value as SessionSnapshot
  const problems: WireProblem[] = []
  const interactions = snapshot.interactions.filter((interaction, index) => {
    const part = interactionFault({ ...interaction })
    if (part !== undefined) problems.push(malformed(`interactions[${index}]${part && `.${part}`}`).problem)
    return part === undefined
  })
  return accept({ snapshot: { ...snapshot, interactions }, problems })
}

const malformed = (path: string) =>
  refuse('malformed_snapshot', `A snapshot is malformed at ${path || 'its root'}.`, path)

function interactionFault(interaction: Record<string, unknown>): Fault {
  for (const part of ['request', 'response', 'closed']) {
    const fault = part !== 'request' && interaction[part] === undefined ? undefined : eventFault(interaction[part])
    if (fault !== undefined) return part + (fault && `.${fault}`)
  }
  return extras(interaction, '')
}
