import { escapeInvisible, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { readableText } from '@holdpoint/core/readable'
import { shownDigest } from '@holdpoint/core/wire'
import { questionHeading } from '../answer-page/names.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'

/** The content of an interaction that a message can show, as plain text. Surfaces that answer in a message share these rules. */

/** Returns the question with uniform line ends; for accounts also the reason: `Connect Slack: To post the summary.` */
export function promptOf(interaction: InteractionRecord, messages: Messages): string {
  const { request } = interaction
  const reason = request.type === 'auth_needed' ? request.reason : undefined
  const heading = questionHeading(interaction, messages)
  return (reason ? `${heading}: ${reason}` : heading).replaceAll('\r\n', '\n')
}

/** Returns the kind of question and the tool, without text of an agent: `Approval needed: Delete files`. */
export function titleOf({ kind, names, request }: InteractionRecord, messages: Messages): string {
  const titles = { approval: messages.approvalTitle, input: messages.inputTitle }
  const count = request.type === 'auth_needed' ? request.integrations.length : 1
  return `${kind === 'connect' ? say(messages.connectTitle, { count }) : titles[kind]}: ${names.tool}`
}

/** Returns the facts and arguments, which a message shows below the prompt. */
export function detailsOf({ request }: InteractionRecord): string {
  if (request.type !== 'interaction_request') return ''
  const facts = (request.facts ?? []).map(({ label, value }) => (value ? `${label}: ${value}` : label))
  const args = request.args === undefined ? [] : [readableText(request.args, { timeZone: 'UTC' })]
  return [...facts, ...args].join('\n')
}

/**
 * Returns whether a message may accept an approval: the risk is low, and the message shows everything that the answer covers.
 * Everything else is answered on the page.
 */
export function takesApproval(interaction: InteractionRecord, fits: (text: string) => boolean): boolean {
  const { kind, request } = interaction
  if (kind !== 'approval' || request.type !== 'interaction_request' || request.risk !== 'low') return false
  if (request.diff?.length || request.inputSchema) return false
  return [request.prompt ?? '', detailsOf(interaction)].every((text) => fits(escapeInvisible(text)))
}

/** Returns the digest that an answer to this interaction must contain; empty for a request for accounts. */
export const digestOf = ({ request }: InteractionRecord): string =>
  request.type === 'interaction_request' ? shownDigest(request) : ''

/** Returns the number of Unicode code points. */
export const lengthOf = (text: string): number => [...text].length

/** Returns the text, cut to a number of characters. */
export const cut = (text: string, length: number): string =>
  lengthOf(text) <= length ? text : `${[...text].slice(0, length - 1).join('')}…`
