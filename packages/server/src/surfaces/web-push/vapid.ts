import { HoldpointError } from '@holdpoint/core'
import { importJWK, SignJWT } from 'jose'
import { toBase64Url } from '../../security/hashes.ts'
import { fromBase64Url } from './encrypt.ts'

/** The key pair with which push services recognize your server, as `npx web-push generate-vapid-keys` prints it. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
  /** Your contact address for push services: `mailto:ops@example.com`, or an `https:` address. */
  subject: string
}

const LIFETIME_S = 12 * 60 * 60

/** Creates the signer of requests to push services (RFC 8292). Throws at once for invalid keys. */
export function createVapid({ publicKey, privateKey, subject }: VapidKeys) {
  const point = bytesOf('publicKey', publicKey, 65)
  if (point[0] !== 4) throw invalid('"vapid.publicKey" must be an uncompressed P-256 point')
  bytesOf('privateKey', privateKey, 32)
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(subject)) {
    throw invalid('"vapid.subject" must be a "mailto:" or "https:" address')
  }
  const [x, y] = [toBase64Url(point.slice(1, 33)), toBase64Url(point.slice(33))]
  const key = importJWK({ kty: 'EC', crv: 'P-256', x, y, d: privateKey }, 'ES256')
  // The key is awaited at the first message, so an earlier rejection must not count as unhandled.
  key.catch(() => {})

  return {
    publicKey,
    /** Returns the `Authorization` header for one push service. */
    async authorize(endpoint: string, nowMs: number): Promise<string> {
      const expires = Math.floor(nowMs / 1_000) + LIFETIME_S
      const token = await new SignJWT({ aud: new URL(endpoint).origin, exp: expires, sub: subject })
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .sign(await key)
      return `vapid t=${token}, k=${publicKey}`
    },
  }
}

export type Vapid = ReturnType<typeof createVapid>

function bytesOf(name: string, text: string, length: number): Uint8Array {
  try {
    const bytes = fromBase64Url(text)
    if (bytes.length === length) return bytes
  } catch {
    // The error is thrown below.
  }
  throw invalid(`"vapid.${name}" must be ${length} bytes as base64url`)
}

function invalid(why: string): HoldpointError {
  return new HoldpointError(
    'invalid_options',
    `webPushSurface: ${why}. Run "npx web-push generate-vapid-keys" and pass both keys.`,
  )
}
