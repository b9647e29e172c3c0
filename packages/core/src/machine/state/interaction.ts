import type { AuthNeededEvent, InteractionRequestEvent, KnownEvent } from '../../protocol/events.ts'

import { keep } from './structural-sharing.ts'
import type { Answer, Interaction } from './types.ts'

/** The kinds of questions, and how a person can answer each. Both sides of the wire use this table. */
export const answerActions: Record<Interaction['kind'], readonly Answer['action'][]> = {
  approval: ['approve', 'deny', 'cancel'],
  input: ['submit', 'decline', 'cancel'],
  connect: ['decline', 'cancel'],
  // A person can decline every kind of question, including unknown ones.
  unknown: ['decline', 'cancel'],
}

/**
 * Returns true while a question waits for an answer, also while this client's answer is being sent or could not be
 * sent.
 *
 * @example
 * const question = selectInteraction(client.getSnapshot(), interactionId)
 * if (question && isOpen(question)) showButtons(question)
 */
export const isOpen = ({ status, replacedBy }: Pick<Interaction, 'status' | 'replacedBy'>): boolean =>
  !replacedBy && ['pending', 'submitting', 'not_sent'].includes(status)

/**
 * A list that only `auth_needed` has. Guards of other types do not check this name, which a newer server may use for
 * something else.
 */
const listOf = (value: readonly string[] | undefined): readonly string[] => (Array.isArray(value) ? value : [])

/** Creates the interaction of a new question. */
export function ask(request: InteractionRequestEvent | AuthNeededEvent): Interaction {
  const { interactionId, toolCallId, toolName, runId, expiresAt } = request
  const { replaces, coveredBy } = request as Partial<InteractionRequestEvent>
  // By its type, because a newer server may use the name `interactionType` in `auth_needed` for something else.
  const kind = request.type === 'auth_needed' ? 'connect' : request.interactionType
  return {
    interactionId,
    kind: (Object.hasOwn(answerActions, kind) ? kind : 'unknown') as Interaction['kind'],
    // A remembered approval has answered it: the next event is the answer.
    status: coveredBy !== undefined && kind !== 'connect' ? 'answered' : 'pending',
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

/** Returns what an event changes in its question. A repeated or late event changes nothing. */
export function step(it: Interaction, event: KnownEvent, clientId: string): Partial<Interaction> | undefined | false {
  const open = isOpen(it)
  /** An end: this client has nothing more to send. */
  const over = (status: Interaction['status'], more?: Partial<Interaction> | false) => ({
    draft: undefined,
    problem: undefined,
    status,
    ...more,
  })
  switch (event.type) {
    case 'interaction_updated': {
      const { expiresAt, deferred = it.deferred, args } = event
      if (args !== undefined) return it.response && { response: keep(it.response, { ...it.response, args }) }
      return open && { expiresAt: expiresAt ? Date.parse(expiresAt) : it.expiresAt, deferred }
    }
    case 'interaction_response': {
      const { respondedBy, timestamp } = event
      // Without a response, "answered" comes from this client's own assumption or from a 409 that preceded the log. The
      // log knows more.
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
              // Only the owner of the session connects accounts, so a connection never counts as another user's answer.
              success && { connected: keep(it.connected, integrations), answeredHere: true },
            )),
        }
      )
    }
  }
  return undefined
}
