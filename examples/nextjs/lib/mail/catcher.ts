import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MailTransport } from '@holdpoint/server/email'
import { home } from '../keys.ts'
import { once } from '../once.ts'

/** A mail in the list. */
export interface MailSummary {
  id: number
  subject: string
  sentAt: number
}

export interface CaughtMail extends MailSummary {
  from: string
  to: string
  text: string
  html: string
}

const database = () =>
  once('mails', () => {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const db = new DatabaseSync(join(home, 'mails.db'))
    db.exec(`
      pragma journal_mode = wal;
      create table if not exists mails (id integer primary key, message_id text unique, sent_at integer, sender text,
        recipient text, subject text, body text, html text);
    `)
    return db
  })

/**
 * Keeps the mails that this demo sends, and sends none of them. Yours is `nodemailer.createTransport(process.env.SMTP_URL)`.
 * A mail that is sent again after a crash has the same id, and is kept once.
 */
export const catcher: MailTransport = {
  async sendMail({ messageId, from, to, subject, text, html }) {
    database()
      .prepare(
        `insert into mails (message_id, sent_at, sender, recipient, subject, body, html) values (?, ?, ?, ?, ?, ?, ?)
         on conflict (message_id) do nothing`,
      )
      .run(messageId, Date.now(), `${from.name} <${from.address}>`, to.address, subject, text, html)
  },
}

/** The mails to an address, the newest first. */
export function mailsTo(address: string): MailSummary[] {
  const rows = database()
    .prepare('select id, subject, sent_at from mails where recipient = ? order by id desc limit 200')
    .all(address)
  return rows.map(({ id, subject, sent_at }) => ({
    id: Number(id),
    subject: String(subject),
    sentAt: Number(sent_at),
  }))
}

/** One mail to an address. Its link works without a login, so no other user may read it. */
export function mailTo(address: string, id: number): CaughtMail | null {
  const row = database().prepare('select * from mails where recipient = ? and id = ?').get(address, id)
  if (!row) return null
  return {
    id: Number(row.id),
    subject: String(row.subject),
    sentAt: Number(row.sent_at),
    from: String(row.sender),
    to: String(row.recipient),
    text: String(row.body),
    html: String(row.html),
  }
}
