const encoder = new TextEncoder()

/** A source of random bytes, injected so that tests can control it. */
export type RandomBytes = (length: number) => Uint8Array

/** Returns 256 random bits as base64url, for bearer values. */
export function randomToken(randomBytes: RandomBytes, bytes = 32): string {
  return toBase64Url(randomBytes(bytes))
}

/**
 * Returns the hash that is stored instead of a bearer value. A plain hash is sufficient for values of 256 random bits,
 * because a dictionary attack is not possible.
 */
export async function hashOf(value: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(value))))
}

/** Returns the HMAC-SHA-256 of a text, in hex. */
export async function hmacHex(key: CryptoKey, text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}

/**
 * Compares two texts in constant time, so that the duration does not reveal where they differ. Their lengths are not
 * secret.
 */
export function sameText(a: string, b: string): boolean {
  let different = a.length ^ b.length
  for (let i = 0; i < a.length; i++) different |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return different === 0
}

export function toBase64Url(bytes: Uint8Array): string {
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
