import type { Interaction } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent, SpokenMessages } from '@holdpoint/core/internal'
import { deadlineText, say } from '@holdpoint/core/internal/words'

import type { Messages } from '@holdpoint/core/messages'

import { nameText, visible } from './escape.ts'
import { integrationName, type Names, toolNameOf } from './names.ts'

/** Returns the request of an approval, a form or an unknown kind. */
export function questionOf(interaction: Interaction): InteractionRequestEvent | undefined {
  return interaction.request.type === 'interaction_request'
    ? (interaction.request as InteractionRequestEvent)
    : undefined
}

/** Returns the request for accounts. */
export function authOf(interaction: Interaction): AuthNeededEvent | undefined {
  return interaction.request.type === 'auth_needed' ? (interaction.request as AuthNeededEvent) : undefined
}

/** The heading: the host's, or ours. */
export function titleOf(interaction: Interaction, messages: SpokenMessages): string {
  const label = questionOf(interaction)?.labels?.title
  if (label) return visible(label)
  if (interaction.kind === 'approval') return messages.approvalTitle
  if (interaction.kind === 'input') return messages.inputTitle
  if (interaction.kind === 'unknown') return messages.unknownTitle
  return say(messages.connectTitle, { count: authOf(interaction)?.integrations.length ?? 1 })
}

/** Returns whether the heading of the card contains the kind of the question. */
export function isTitled(interaction: Interaction): boolean {
  return interaction.kind === 'connect' || (interaction.kind !== 'approval' && !questionOf(interaction)?.prompt)
}

/** Returns the prompt in the agent's words. */
export function promptOf(interaction: Interaction): string | undefined {
  return questionOf(interaction)?.prompt ?? authOf(interaction)?.reason
}

/** Returns who asks, and with which tool. */
export function bylineOf(interaction: Interaction, messages: Pick<Messages, 'byline'>, tool: string): string {
  const requester = questionOf(interaction)?.requester?.name
  return say(messages.byline, { requester: requester ? nameText(requester) : '', tool: nameText(tool) })
}

/**
 * The question, as the heading of its card. Without a prompt an approval asks whether the tool may run. Accounts are the
 * question of their card, and its prompt is the reason. Escaped, with names isolated.
 */
export function headingOf(interaction: Interaction, messages: SpokenMessages, names: Names): string {
  const prompt = questionOf(interaction)?.prompt
  if (prompt) return visible(prompt)
  const accounts = authOf(interaction)?.integrations ?? []
  if (accounts.length === 1) return say(messages.connect, { name: integrationName(accounts[0]!, names) })
  return interaction.kind === 'approval' && !questionOf(interaction)?.labels?.title
    ? say(messages.allowTool, { tool: nameText(toolNameOf(interaction.toolName, names)) })
    : titleOf(interaction, messages)
}

/** The question in one line, for a live region or a list. */
export function gistOf(interaction: Interaction, messages: SpokenMessages, names: Names): string {
  const reason = authOf(interaction)?.reason
  const heading = headingOf(interaction, messages, names)
  const text = (reason ? `${heading}: ${visible(reason)}` : heading).replace(/\s+/g, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/** Returns the announcement of a question: the question, its risk, and its deadline. */
export function questionAloud(
  interaction: Interaction,
  messages: SpokenMessages,
  { now, locale, ...names }: Names & { now: number; locale: string },
): string {
  const risk = questionOf(interaction)?.risk
  const left = interaction.deferred ? Number.NaN : interaction.expiresAt - now
  const parts = [...accountsAloud(interaction, messages, { ...names, locale })]
  if (risk) parts.push(riskText(risk, messages))
  const deadline = deadlineText(questionOf(interaction), left, messages, locale)
  if (deadline) parts.push(deadline)
  return parts.length > 1 ? parts.map(asSentence).join(' ') : parts.join('')
}

/** Returns the question; for accounts their names, followed by the reason. */
function accountsAloud(
  interaction: Interaction,
  messages: SpokenMessages,
  { locale, ...names }: Names & { locale: string },
): string[] {
  const { integrations: accounts = [], reason } = authOf(interaction) ?? {}
  if (accounts.length === 0) return [gistOf(interaction, messages, names)]
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  const name = list.format(accounts.map((each) => integrationName(each, names)))
  const heading = accounts.length > 5 ? headingOf(interaction, messages, names) : say(messages.connect, { name })
  return reason ? [heading, visible(reason).replace(/\s+/g, ' ').slice(0, 200)] : [heading]
}

/** Returns text with a full stop, so that screen readers pause before the next sentence. */
export const asSentence = (text: string) => (/[.?!…؟。]$/u.test(text) ? text : `${text}.`)

/** Returns the risk of a call in words. */
export function riskText(risk: string, messages: Pick<Messages, 'riskLow' | 'riskMedium' | 'riskHigh'>): string {
  if (risk === 'high') return messages.riskHigh
  return risk === 'low' ? messages.riskLow : messages.riskMedium
}

/**
 * Returns the problems of the previous answer, field by field, in one line for a live region; undefined without
 * problems. Field labels come first, because the focus may be elsewhere.
 */
export function refusalOf(interaction: Interaction): string | undefined {
  const request = questionOf(interaction)
  const { fieldErrors, error } = interaction.problem ? { ...interaction.problem, error: undefined } : (request ?? {})
  const labels = new Map(request?.inputSchema?.fields.map(({ id, label }) => [id, label]))
  const ofFields = Object.entries(fieldErrors ?? {}).map(([id, errors]) => {
    const label = labels.get(id)
    return `${label === undefined ? '' : `${label}: `}${errors.join(' ')}`
  })
  const text = visible([...ofFields, error ?? ''].filter(Boolean).join(' ')).replace(/\s+/g, ' ')
  return text.length > 300 ? `${text.slice(0, 299)}…` : text || undefined
}
