import type { SeenMessage, SurfaceWorld } from '@holdpoint/conformance/surface'
import { emailSurface } from '@holdpoint/server/email'
import { createTransport } from 'nodemailer'
import type { EmailOptions } from '../../../src/surfaces/email/email.ts'
import type { Arrived } from './mail-server.ts'
import { mailServer } from './mail-server.ts'

/** The e-mail surface with a nodemailer transport and a real server. */
export async function mailWorld(options: Partial<EmailOptions> = {}) {
  const server = await mailServer()
  const transport = createTransport({ host: '127.0.0.1', port: server.port, ignoreTLS: true })
  const surface = emailSurface({
    transport,
    from: { name: 'Acme', address: 'agent@acme.example' },
    addressOf: ({ userId }) => `${userId}@example.com`,
    ...options,
  })
  const world: SurfaceWorld = {
    surface,
    messages: () => threadsOf(server.arrived),
    provider: {
      down: () => server.setDown(true),
      up: () => server.setDown(false),
      limitOnce() {},
      calls: () => server.connections,
    },
    async stop() {
      transport.close()
      await server.close()
    },
  }
  return { ...world, server }
}

/** Mails as a mail program shows them: those that name the same first mail are one conversation. */
function threadsOf(arrived: readonly Arrived[]): SeenMessage[] {
  const threads = new Map<string, SeenMessage>()
  for (const { to, mail } of arrived) {
    const first = (mail.references ?? '').split(/\s+/)[0] || (mail.messageId ?? '')
    const thread = threads.get(first) ?? { userId: to.split('@')[0] ?? '', sends: 0, reminders: 0, text: '' }
    threads.set(first, thread)
    // Plain text has no format to break out of.
    const text = `${mail.subject}\n${mail.html}`
    if (!mail.inReplyTo) thread.sends++
    else if (/Reminder/.test(text)) thread.reminders++
    else thread.outcome = mail.text ?? ''
    thread.text += text
  }
  return [...threads.values()]
}
