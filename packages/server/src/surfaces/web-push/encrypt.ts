/** The keys of a subscription, as base64url, which the page receives from the browser. */
export interface PushKeys {
  /** The public key of the browser. */
  p256dh: string
  /** The authentication secret. */
  auth: string
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const RECORD_BYTES = 4_096
const encoder = new TextEncoder()

/** The maximum number of bytes of a text that every push service accepts in one message. */
export const LARGEST_PAYLOAD = 3_993

/**
 * Encrypts a message for one browser (RFC 8291), so that the push service cannot read it. The key pair and the salt are
 * new for each message; tests pass those of the RFC.
 */
export async function encryptPush(
  text: string,
  keys: PushKeys,
  made: { salt: Uint8Array<ArrayBuffer>; pair?: CryptoKeyPair },
): Promise<Uint8Array<ArrayBuffer>> {
  const content = encoder.encode(text)
  if (content.length > LARGEST_PAYLOAD) throw new RangeError('The text of a push message is too long.')
  const browserKey = fromBase64Url(keys.p256dh)
  const pair = made.pair ?? (await crypto.subtle.generateKey(CURVE, true, ['deriveBits']))
  const ownKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const theirs = await crypto.subtle.importKey('raw', browserKey, CURVE, false, [])
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, pair.privateKey, 256)

  const info = joined(encoder.encode('WebPush: info\0'), browserKey, ownKey)
  const secret = await derived(new Uint8Array(shared), fromBase64Url(keys.auth), info, 32)
  const keyBytes = await derived(secret, made.salt, encoder.encode('Content-Encoding: aes128gcm\0'), 16)
  const iv = await derived(secret, made.salt, encoder.encode('Content-Encoding: nonce\0'), 12)

  const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['encrypt'])
  // The last byte marks the last record.
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, joined(content, Uint8Array.of(2)))
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, RECORD_BYTES)
  return joined(made.salt, size, Uint8Array.of(ownKey.length), ownKey, new Uint8Array(sealed))
}

async function derived(
  secret: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8))
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Decodes base64url. Throws for other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}
