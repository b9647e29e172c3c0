import { languageOf } from '../../answer-page/markup/language.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import { sentencesIn } from '../sentences.ts'
import type { Recipient, Surface, SurfaceLinks } from '../surface.ts'
import { outcomeLine } from '../words.ts'
import { type Letter, questionMessage, settledMessage, type Writing } from './compose.ts'
import { checkedAddress, messageId, type Unsubscribe, unsubscribeHeaders } from './headers.ts'

/** A mail in the format of `nodemailer`. */
export interface Mail {
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  inReplyTo?: string
  references?: string[]
  headers: Record<string, string>
}

/** The transport that sends the mails: one of `nodemailer`, or any object with this method. */
export interface MailTransport {
  sendMail(mail: Mail): Promise<unknown>
}

/** The mail address of a user. */
export interface MailAddress {
  address: string
  name?: string
  /**
   * A language tag such as `de` or `pt-BR`. A language without texts is written in English.
   *
   * @default 'en'
   */
  language?: string
  /** An IANA time zone. @default 'UTC' */
  timeZone?: string
}

/** Options of `emailSurface`. */
export interface EmailOptions {
  /** `nodemailer.createTransport(…)`. */
  transport: MailTransport
  from: { name: string; address: string }
  /** Returns the mail address of a user, or null if the user gets no mail. */
  addressOf(user: {
    tenant: string
    userId: string
  }): MailAddress | string | null | Promise<MailAddress | string | null>
  /**
   * Returns the address at which a recipient unsubscribes from these mails.
   *
   * @default a mail to the sender
   */
  unsubscribe?: (user: { tenant: string; userId: string }) => Unsubscribe | Promise<Unsubscribe>
  /**
   * True if the mail contains the arguments. If false, the mail only has the prompt, and the page shows everything.
   *
   * @default false
   */
  details?: boolean
  /**
   * True if a recipient is informed when another user answers the question, or when it expires or is withdrawn.
   *
   * @default true
   */
  informOfOutcome?: boolean
  /** @default 'email' */
  name?: string
}

/** The stored reference of a mail, so that later mails join its thread. */
type MailRef = { first: string; last: string; subject: string }

/**
 * Sends questions by e-mail, with a link to the answer page. Reminders and outcomes are in the thread of the first
 * mail.
 *
 * @example
 * const surface = emailSurface({
 *   transport: nodemailer.createTransport(process.env.SMTP_URL),
 *   from: { name: 'Acme', address: 'agent@acme.example' },
 *   addressOf: async ({ userId }) => (await users.find(userId))?.email ?? null,
 * })
 */
export function emailSurface(options: EmailOptions): Surface<MailRef> {
  const { transport, from, informOfOutcome = true, details = false } = options
  const sender = checkedAddress('emailSurface: "from.address"', from.address)
  const domain = sender.slice(sender.indexOf('@') + 1)

  async function writeTo(user: Recipient) {
    const found = await options.addressOf({ tenant: user.tenant, userId: user.userId })
    if (found === null) return null
    const reader = typeof found === 'string' ? { address: found } : found
    const { address, name = '', timeZone = 'UTC' } = reader
    const { locale: language, messages, direction } = languageOf(reader.language ?? 'en')
    const writing: Writing = { language, direction, say: sentencesIn(language), messages, timeZone, details }
    return { to: { name, address: checkedAddress(`emailSurface: the address of ${user.userId}`, address) }, writing }
  }
  /** Sends a mail. Returns false if the recipient's server refuses it permanently. */
  async function send(
    user: Recipient,
    to: Mail['to'],
    id: string,
    letter: Letter,
    earlier?: MailRef,
  ): Promise<boolean> {
    const unsubscribe = (await options.unsubscribe?.({ tenant: user.tenant, userId: user.userId })) ?? {}
    const thread = earlier && { inReplyTo: earlier.last, references: [...new Set([earlier.first, earlier.last])] }
    const headers = { ...unsubscribeHeaders(unsubscribe, sender), ...AUTOMATIC }
    try {
      await transport.sendMail({
        from: { name: from.name, address: sender },
        to,
        ...letter,
        messageId: id,
        ...thread,
        headers,
      })
      return true
    } catch (error) {
      if (isForGood(error)) return false
      throw isRecipientBusy(error) ? Object.assign(error, { recipientOnly: true }) : error
    }
  }

  return {
    name: options.name ?? 'email',
    async present(interaction: InteractionRecord, recipient: Recipient, links: SurfaceLinks) {
      const found = await writeTo(recipient)
      if (!found) return null
      const { to, writing } = found
      const earlier = recipient.previous as MailRef | undefined
      const letter = questionMessage(interaction, await links.answer(), recipient.reminder > 0, writing)
      const subject = earlier ? earlier.subject : letter.subject
      const id = await messageId(recipient.deliveryId, domain)
      const sent = await send(recipient, to, id, { ...letter, subject: earlier ? `Re: ${subject}` : subject }, earlier)
      return sent ? { first: earlier?.first ?? id, last: id, subject } : (earlier ?? null)
    },
    async update(ref: MailRef, interaction: InteractionRecord, recipient: Recipient) {
      if (!informOfOutcome || interaction.answer?.by.userId === recipient.userId) return
      const found = await writeTo(recipient)
      if (!found) return
      const outcome = outcomeLine(interaction, recipient, found.writing.messages)
      const letter = { ...settledMessage(interaction, outcome, found.writing), subject: `Re: ${ref.subject}` }
      const id = await messageId(`${recipient.deliveryId}/${interaction.outcome}`, domain)
      await send(recipient, found.to, id, letter, ref)
    },
  }
}

/** Headers that suppress automatic responses, such as out-of-office notes. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/**
 * Returns whether the server refused this recipient permanently. Errors of the sender or the connection do not count.
 */
function isForGood(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode <= 553
}

/** Returns whether the server refused this recipient temporarily, because of a full mailbox or greylisting. */
function isRecipientBusy(error: unknown): error is Error {
  const { code, command } = (error ?? {}) as { code?: unknown; command?: unknown }
  return error instanceof Error && code === 'EENVELOPE' && command === 'RCPT TO'
}
