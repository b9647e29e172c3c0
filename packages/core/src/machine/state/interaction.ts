import type { AuthNeededEvent, InteractionRequestEvent } from '../../protocol/events.ts'
import type { KnownEvent } from '../../protocol/index.ts'
import { keep } from './structural-sharing.ts'
import type { Interaction } from './types.ts'

/**
 * True while a question still waits for an answer; also while this client's own is being sent or could not be sent.
 *
 * @example
 * const question = selectInteraction(client.getSnapshot(), interactionId)
 * if (question && isOpen(question)) showButtons(question)
 */
export const isOpen = ({ status, replacedBy }: Pick<Interaction, 'status' | 'replacedBy'>): boolean =>
  !replacedBy && ['pending', 'submitting', 'not_sent'].includes(status)

/** What only `auth_needed` has was not looked at elsewhere: a newer server may use its name for something else. */
const listOf = (value: readonly string[] | undefined): readonly string[] => (Array.isArray(value) ? value : [])

/** A new question. */
export function ask(request: InteractionRequestEvent | AuthNeededEvent): Interaction {
  const { interactionId, toolCallId, toolName, runId, expiresAt } = request
  // `auth_needed` has no type and may say what is connected; no other field tells the two apart here.
  const { interactionType: kind = 'connect', replaces } = request as Partial<InteractionRequestEvent>
  return {
    interactionId,
    kind: (['approval', 'input', 'connect'].includes(kind) ? kind : 'unknown') as Interaction['kind'],
    status: 'pending',
    toolCallId,
    toolName,
    runId,
    request,
    expiresAt: Date.parse(expiresAt),
    deferred: false,
    connected: listOf((request as AuthNeededEvent).connected),
    answeredHere: false,
    replaces,
  }
}

/** What an event changes in its question; nothing, when it comes again or too late. */
export function step(it: Interaction, event: KnownEvent, clientId: string): Partial<Interaction> | undefined | false {
  const open = isOpen(it)
  /** Over: nothing of this client is under way any more. */
  const over = (status: Interaction['status'], more?: Partial<Interaction> | false) => ({
    draft: undefined,
    problem: undefined,
    status,
    ...more,
  })
  switch (event.type) {
    case 'interaction_updated': {
      const { expiresAt, deferred = it.deferred } = event
      return open && { expiresAt: expiresAt ? Date.parse(expiresAt) : it.expiresAt, deferred }
    }
    case 'interaction_response': {
      const { respondedBy, timestamp } = event
      // "answered" without a response is our own optimism, or a 409 that came before the log: the log knows more.
      return (
        !it.response &&
        (open || it.status === 'answered') &&
        over('answered', {
          response: event,
          answeredHere: respondedBy.clientId === clientId,
          answeredBy: respondedBy,
          answeredAt: timestamp,
        })
      )
    }
    case 'interaction_closed':
      return !it.closed && over(event.reason, { closed: event })
    case 'auth_progress': {
      const asked = listOf((it.request as AuthNeededEvent).integrations)
      return {
        connected: keep(
          it.connected,
          asked.filter((name) => !event.remaining.includes(name)),
        ),
      }
    }
    case 'auth_result': {
      const { success, integrations } = event
      const reason = event.reason as Interaction['status']
      const status = ['expired', 'superseded', 'failed'].includes(reason) ? reason : 'cancelled'
      return (
        !it.authResult && {
          authResult: event,
          ...(open &&
            over(
              success ? 'answered' : status,
              // Only the session's own user connects accounts, so a connection is never "somebody else's answer".
              success && { connected: keep(it.connected, integrations), answeredHere: true },
            )),
        }
      )
    }
  }
  return undefined
}
