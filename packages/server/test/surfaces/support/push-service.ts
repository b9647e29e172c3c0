import { createECDH, randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
// It has no types. The package `web-push` encrypts with it, so it judges our encryption.
import ece from 'http_ece'
import { jwtVerify } from 'jose'
import { CERTIFICATE, PRIVATE_KEY } from './localhost-certificate.ts'

export interface Pushed {
  /** The name of the browser. */
  browser: string
  headers: Record<string, string | undefined>
  /** The decrypted notification. */
  notification: Record<string, unknown> & { tag: string; title: string; body: string }
}

/** A push service on TLS, with browsers that subscribe, and that decrypt what they get as browsers do. */
export async function pushService() {
  setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE])
  const browsers = new Map<string, { pair: ReturnType<typeof createECDH>; auth: Buffer; gone: boolean }>()
  const pushed: Pushed[] = []
  const service = { calls: 0, isDown: false, limit: 0, rejectWith: 0, publicKey: '' }
  const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (request, response) => {
    service.calls++
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const name = decodeURIComponent(request.url?.slice('/send/'.length) ?? '')
      const browser = browsers.get(name)
      if (service.isDown) return response.writeHead(503).end()
      if (service.limit > 0) {
        response.writeHead(429, { 'retry-after': String(service.limit) }).end()
        service.limit = 0
        return
      }
      if (service.rejectWith > 0) return response.writeHead(service.rejectWith).end()
      if (!browser || browser.gone) return response.writeHead(410).end()
      if (!(await isAuthorized(request.headers.authorization ?? ''))) return response.writeHead(403).end()
      const options = { version: 'aes128gcm', privateKey: browser.pair, authSecret: browser.auth.toString('base64url') }
      const text = ece.decrypt(Buffer.concat(chunks), options).toString('utf8')
      pushed.push({ browser: name, headers: request.headers as never, notification: JSON.parse(text) })
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`

  async function isAuthorized(header: string): Promise<boolean> {
    const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(header) ?? []
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const jwk = { kty: 'EC', crv: 'P-256', x, y }
    const valid = await jwtVerify(token, jwk, { audience: origin, algorithms: ['ES256'] }).catch(() => null)
    return key === service.publicKey && typeof valid?.payload.sub === 'string'
  }

  return Object.assign(service, {
    origin,
    pushed,
    /** The subscription that a browser gives to the page. */
    subscribe(name: string) {
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      browsers.set(name, { pair, auth, gone: false })
      const keys = { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') }
      return { endpoint: `${origin}/send/${encodeURIComponent(name)}`, expirationTime: null, keys }
    },
    unsubscribe(name: string) {
      const browser = browsers.get(name)
      if (browser) browser.gone = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
