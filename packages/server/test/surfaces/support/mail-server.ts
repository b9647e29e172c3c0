import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as it arrived, with its raw text. */
export interface Arrived {
  to: string
  raw: string
  mail: Email
}

/** A real SMTP server that keeps what it receives. */
export async function mailServer() {
  const arrived: Arrived[] = []
  const refused = new Map<string, number>()
  let connections = 0
  let isDown = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      connections++
      done(isDown ? Object.assign(new Error('Try later'), { responseCode: 421 }) : null)
    },
    onRcptTo({ address }, _session, done) {
      const code = refused.get(address)
      done(code === undefined ? null : Object.assign(new Error('Refused'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const to = session.envelope.rcptTo.map(({ address }) => address).join(',')
        void PostalMime.parse(raw).then((mail) => {
          arrived.push({ to, raw, mail })
          done(null)
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    arrived,
    /** Refuses mail to this address with this code. */
    refuse: (address: string, code: number) => void refused.set(address, code),
    get connections() {
      return connections
    },
    setDown(down: boolean) {
      isDown = down
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
