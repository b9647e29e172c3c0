import { escapeInvisible, say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { readableText } from '@holdpoint/core/readable'
import { shownDigest } from '@holdpoint/core/wire'
import { questionHeading } from '../answer-page/names.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'

/** Slack's limit, which is the smallest one. */
const LONGEST_BUTTON = 75

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

/** The language in which a message shows arguments. */
interface Words {
  locale: string
  messages: Messages
}

/** Returns the facts and arguments, which a message shows below the prompt. */
export function detailsOf({ request }: InteractionRecord, { locale, messages }: Words): string {
  if (request.type !== 'interaction_request') return ''
  const facts = (request.facts ?? []).map(({ label, value }) => (value ? `${label}: ${value}` : label))
  const words = { yes: messages.yes, no: messages.no }
  const args = request.args === undefined ? [] : [readableText(request.args, { locale, timeZone: 'UTC', words })]
  return [...facts, ...args].join('\n')
}

/**
 * Returns whether a message may accept an approval: the risk is low, and the message shows everything that the answer covers.
 * Everything else is answered on the page.
 */
export function takesApproval(interaction: InteractionRecord, words: Words, fits: (text: string) => boolean): boolean {
  const { kind, request } = interaction
  if (kind !== 'approval' || request.type !== 'interaction_request' || request.risk !== 'low') return false
  if (request.diff?.length || request.inputSchema) return false
  return [request.prompt ?? '', detailsOf(interaction, words)].every((text) => fits(escapeInvisible(text)))
}

/** Returns the words of the buttons: the host's, or ours. Text of the host is escaped. */
export function buttonsOf({ request }: InteractionRecord, messages: Messages) {
  const { approve, deny, decline } = request.type === 'interaction_request' ? (request.labels ?? {}) : {}
  const word = (given: string | undefined, own: string) => (given ? cut(escapeInvisible(given), LONGEST_BUTTON) : own)
  return {
    approve: word(approve, messages.approve),
    deny: word(deny, messages.deny),
    decline: word(decline, messages.decline),
  }
}

/** Returns the digest that an answer to this interaction must contain; empty for a request for accounts. */
export const digestOf = ({ request }: InteractionRecord): string =>
  request.type === 'interaction_request' ? shownDigest(request) : ''

/** Returns the number of Unicode code points. */
export const lengthOf = (text: string): number => [...text].length

/** Returns the text, cut to a number of characters. */
export const cut = (text: string, length: number): string =>
  lengthOf(text) <= length ? text : `${[...text].slice(0, length - 1).join('')}…`
