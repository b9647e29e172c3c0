import type { AuthNeededEvent, InteractionRequestEvent, InteractionSnapshot, KnownEvent } from '../protocol/index.ts'
import { keep, patch } from './keep.ts'
import type { Interaction } from './types.ts'

/**
 * True while a question still waits for an answer; also while this client's own is being sent or could not be sent.
 *
 * @example
 * const question = selectInteraction(client.getSnapshot(), interactionId)
 * if (question && isOpen(question)) showButtons(question)
 */
export const isOpen = ({ status, replacedBy }: Pick<Interaction, 'status' | 'replacedBy'>): boolean =>
  !replacedBy && (status === 'pending' || status === 'submitting' || status === 'not_sent')

/** What only `auth_needed` has was not looked at elsewhere: a newer server may use its name for something else. */
const listOf = (value: readonly string[] | undefined): readonly string[] => (Array.isArray(value) ? value : [])

/** A new question. All its keys are there from the beginning, so that all questions are one kind of object. */
export function ask(request: InteractionRequestEvent | AuthNeededEvent): Interaction {
  const { interactionId, toolCallId, toolName, runId, expiresAt } = request
  // `auth_needed` has no type and may say what is connected; no other field tells the two apart here.
  const { interactionType: kind = 'connect', replaces } = request as Partial<InteractionRequestEvent>
  return {
    interactionId,
    kind: kind === 'approval' || kind === 'input' || kind === 'connect' ? kind : 'unknown',
    status: 'pending',
    toolCallId,
    toolName,
    runId,
    request,
    expiresAt: Date.parse(expiresAt),
    deferred: false,
    response: undefined,
    closed: undefined,
    authResult: undefined,
    connected: listOf((request as AuthNeededEvent).connected),
    answeredHere: false,
    answeredBy: undefined,
    answeredAt: undefined,
    draft: undefined,
    problem: undefined,
    replaces,
    replacedBy: undefined,
  }
}

/** One question, one event further; the same one when the event changes nothing. */
export function step(it: Interaction, event: KnownEvent, clientId: string): Interaction {
  switch (event.type) {
    case 'interaction_updated':
      return update(it, event)
    case 'interaction_response': {
      // "answered" without a response is our own optimism, or a 409 that came before the log: the log knows more.
      if (it.response || !(isOpen(it) || it.status === 'answered')) return it
      const { respondedBy, timestamp } = event
      return settled(it, {
        status: 'answered',
        response: event,
        answeredHere: respondedBy.clientId === clientId,
        answeredBy: respondedBy,
        answeredAt: timestamp,
      })
    }
    case 'interaction_closed':
      return it.closed ? it : settled(it, { status: event.reason, closed: event })
    case 'auth_progress': {
      const asked = listOf((it.request as AuthNeededEvent).integrations)
      return connect(
        it,
        asked.filter((name) => !event.remaining.includes(name)),
      )
    }
    case 'auth_result': {
      const { success, integrations, reason } = event
      if (it.authResult) return it
      const next: Interaction = { ...it, authResult: event }
      if (!isOpen(it)) return next
      // Only the session's own user connects accounts, so a connection is never "somebody else's answer".
      if (success) return settled(connect(next, integrations), { status: 'answered', answeredHere: true })
      const ending = reason as Interaction['status']
      return settled(next, { status: ['expired', 'superseded', 'failed'].includes(ending) ? ending : 'cancelled' })
    }
  }
  return it
}

/** Over: nothing of this client is under way any more. */
const settled = (it: Interaction, end: Partial<Interaction>): Interaction => ({
  ...it,
  draft: undefined,
  problem: undefined,
  ...end,
})

function update(it: Interaction, { expiresAt, deferred = it.deferred }: Partial<InteractionSnapshot>): Interaction {
  return isOpen(it) ? patch(it, { expiresAt: expiresAt ? Date.parse(expiresAt) : it.expiresAt, deferred }) : it
}

const connect = (it: Interaction, connected: readonly string[]): Interaction =>
  patch(it, { connected: keep(it.connected, connected) })

/** Asked again on the same surface. What was open by then will not be answered any more. */
export const replace = (it: Interaction, replacedBy: string): Interaction =>
  it.replacedBy ? it : { ...it, replacedBy, status: isOpen(it) ? 'superseded' : it.status }

/** A snapshot is made of events, so the log's own steps read it. */
export function fromSnapshot(item: InteractionSnapshot, clientId: string): Interaction {
  const { request, response, closed, connected } = item
  let it = update(ask(request as InteractionRequestEvent), item)
  if (connected) it = connect(it, connected)
  if (response) it = step(it, response, clientId)
  return closed ? step(it, closed, clientId) : it
}
