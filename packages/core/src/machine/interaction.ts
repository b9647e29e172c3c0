import type { AuthNeededEvent, InteractionRequestEvent, InteractionSnapshot, KnownEvent } from '../protocol/index.ts'
import type { Interaction } from './types.ts'

/** Still waiting for an answer, this client's half-sent one included. */
export const isOpen = ({ status, replacedBy }: Pick<Interaction, 'status' | 'replacedBy'>): boolean =>
  !replacedBy && ['pending', 'submitting', 'not_sent'].includes(status)

/** A new question. */
export function ask(request: InteractionRequestEvent | AuthNeededEvent): Interaction {
  // `auth_needed` has no type and may say what is connected; no other field tells the two apart here.
  const { interactionType = 'connect', replaces } = request as Partial<InteractionRequestEvent>
  const kind = interactionType as Interaction['kind']
  return {
    interactionId: request.interactionId,
    kind: ['approval', 'input', 'connect'].includes(kind) ? kind : 'unknown',
    status: 'pending',
    toolCallId: request.toolCallId,
    toolName: request.toolName,
    runId: request.runId,
    request,
    expiresAt: Date.parse(request.expiresAt),
    deferred: false,
    connected: (request as AuthNeededEvent).connected ?? [],
    answeredHere: false,
    replaces,
  }
}

/** One question, one event further; the same one when the event changes nothing. */
export function step(interaction: Interaction, event: KnownEvent, clientId: string): Interaction {
  const open = isOpen(interaction)
  switch (event.type) {
    case 'interaction_updated':
      return update(interaction, event)
    case 'interaction_response': {
      // "answered" without a response is our own optimism, or a 409 that came before the log: the log knows more.
      if (interaction.response || !(open || interaction.status === 'answered')) return interaction
      const { respondedBy, timestamp } = event
      return settled(interaction, {
        status: 'answered',
        response: event,
        answeredHere: respondedBy.clientId === clientId,
        answeredBy: respondedBy,
        answeredAt: timestamp,
      })
    }
    case 'interaction_closed':
      return interaction.closed ? interaction : settled(interaction, { status: event.reason, closed: event })
    case 'auth_progress': {
      const { integrations = [] } = interaction.request as AuthNeededEvent
      return connect(
        interaction,
        integrations.filter((name) => !event.remaining.includes(name)),
      )
    }
    case 'auth_result': {
      if (interaction.authResult) return interaction
      const next: Interaction = { ...interaction, authResult: event }
      if (!open) return next
      // Only the session's own user connects accounts, so a connection is never "somebody else's answer".
      if (event.success) return settled(connect(next, event.integrations), { status: 'answered', answeredHere: true })
      const ending = event.reason as Interaction['status']
      return settled(next, { status: endings.includes(ending) ? ending : 'cancelled' })
    }
    default:
      return interaction
  }
}

const endings: readonly string[] = ['expired', 'cancelled', 'superseded', 'failed']

/** Over: nothing of this client is under way any more. */
const settled = (interaction: Interaction, end: Partial<Interaction>): Interaction => ({
  ...interaction,
  draft: undefined,
  problem: undefined,
  ...end,
})

export function update(
  interaction: Interaction,
  event: { expiresAt?: string | undefined; deferred?: boolean | undefined; connected?: readonly string[] | undefined },
): Interaction {
  const expiresAt = event.expiresAt ? Date.parse(event.expiresAt) : interaction.expiresAt
  const deferred = event.deferred ?? interaction.deferred
  const same = expiresAt === interaction.expiresAt && deferred === interaction.deferred
  return same || !isOpen(interaction) ? interaction : { ...interaction, expiresAt, deferred }
}

function connect(interaction: Interaction, connected: readonly string[]): Interaction {
  return connected.join() === interaction.connected.join() ? interaction : { ...interaction, connected }
}

/** Asked again on the same surface. What was open by then will not be answered any more. */
export const replace = (interaction: Interaction, replacedBy: string): Interaction =>
  interaction.replacedBy
    ? interaction
    : { ...interaction, replacedBy, status: isOpen(interaction) ? 'superseded' : interaction.status }

/** A snapshot is made of events, so the log's own steps read it. */
export function fromSnapshot(item: InteractionSnapshot, clientId: string): Interaction {
  const { request, response, closed, connected } = item
  let interaction = update(ask(request as InteractionRequestEvent), item)
  if (connected) interaction = connect(interaction, connected)
  if (response) interaction = step(interaction, response, clientId)
  return closed ? step(interaction, closed, clientId) : interaction
}
