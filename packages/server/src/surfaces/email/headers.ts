import { HoldpointError } from '@holdpoint/core'
import { escapeInvisible } from '@holdpoint/core/internal'
import { hashOf } from '../../security/hashes.ts'

const SUBJECT_LENGTH = 120

/** Returns text for one header. Line breaks become spaces, because they would begin another header. */
export function headerLine(text: string, length = SUBJECT_LENGTH): string {
  const line = escapeInvisible(text.replace(/[\r\n\t\u0085\u2028\u2029]+/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`
}

/**
 * Returns the address. Throws if it is not exactly one address, because a list or a line break could add recipients or
 * headers.
 */
export function checkedAddress(what: string, address: string): string {
  const part = String.raw`[^\s@<>(),;:"\p{Cc}]+`
  if (typeof address === 'string' && new RegExp(`^${part}@${part}$`, 'u').test(address)) return address
  throw new HoldpointError(
    'invalid_options',
    `${what} must be one e-mail address such as "ada@example.com", without a name. Pass the name as "name".`,
  )
}

/**
 * Returns the message id, which is the same for every attempt, so that mail services and clients recognize a
 * repetition.
 */
export async function messageId(deliveryId: string, domain: string): Promise<string> {
  return `<${(await hashOf(deliveryId)).slice(0, 40)}@${domain}>`
}

/** The addresses at which a recipient unsubscribes. */
export interface Unsubscribe {
  /**
   * A mail address.
   *
   * @default the sender
   */
  mailto?: string
  /** An `https:` page, which must accept a POST without a login (RFC 8058). */
  url?: string
}

export function unsubscribeHeaders({ mailto, url }: Unsubscribe, from: string): Record<string, string> {
  if (url === undefined) return { 'List-Unsubscribe': `<mailto:${mailAddress(mailto ?? from)}>` }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new HoldpointError(
      'invalid_options',
      'emailSurface: the address for unsubscribing must be an https: address.',
    )
  }
  const targets = [`<${new URL(url).href.replaceAll('>', '%3E')}>`]
  if (mailto !== undefined) targets.push(`<mailto:${mailAddress(mailto)}>`)
  return { 'List-Unsubscribe': targets.join(', '), 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

const mailAddress = (address: string) => `${checkedAddress('emailSurface: "mailto"', address)}?subject=unsubscribe`
