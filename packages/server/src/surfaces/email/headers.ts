import { HoldpointError } from '@holdpoint/core'
import { visible } from '@holdpoint/core/internal'
import { hashOf } from '../../security/hashes.ts'

const SUBJECT_LENGTH = 120

/** One line for a header: a line break, which would begin another header, becomes a space. */
export function headerLine(text: string, length = SUBJECT_LENGTH): string {
  const line = visible(text.replace(/[\r\n\t\u0085\u2028\u2029]+/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`
}

/** An address that is one address: no list, no line break, no further header. */
export function checkedAddress(what: string, address: string): string {
  const part = String.raw`[^\s@<>(),;:"\p{Cc}]+`
  if (typeof address === 'string' && new RegExp(`^${part}@${part}$`, 'u').test(address)) return address
  throw new HoldpointError(
    'invalid_options',
    `${what} must be one e-mail address such as "ada@example.com", without a name. Pass the name as "name".`,
  )
}

/** The same id for every attempt at a message, so that mail services and clients recognize a repeat. */
export async function messageId(deliveryId: string, domain: string): Promise<string> {
  return `<${(await hashOf(deliveryId)).slice(0, 40)}@${domain}>`
}

/** Where a recipient stops these e-mails. */
export interface Unsubscribe {
  /** An address that takes a mail: the default is the sender. */
  mailto?: string
  /** An `https:` page, which must take a POST without a login (RFC 8058). */
  url?: string
}

export function unsubscribeHeaders({ mailto, url }: Unsubscribe, from: string): Record<string, string> {
  if (url === undefined) return { 'List-Unsubscribe': `<mailto:${mailAddress(mailto ?? from)}>` }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new HoldpointError('invalid_options', 'email: the address for unsubscribing must be an https: address.')
  }
  const targets = [`<${new URL(url).href.replaceAll('>', '%3E')}>`]
  if (mailto !== undefined) targets.push(`<mailto:${mailAddress(mailto)}>`)
  return { 'List-Unsubscribe': targets.join(', '), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

const mailAddress = (address: string) => `${checkedAddress('email: "mailto"', address)}?subject=unsubscribe`
