import { hmacHex, sameText } from '../../security/hashes.ts'

const WINDOW_S = 5 * 60

/** Returns whether Slack signed this body within the last five minutes. */
export async function isSignedBySlack(
  secret: string,
  request: { timestamp: string | null; signature: string | null; body: string },
  nowMs: number,
): Promise<boolean> {
  const { timestamp, signature, body } = request
  if (!timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > WINDOW_S) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
  return sameText(`v0=${await hmacHex(key, `v0:${timestamp}:${body}`)}`, signature)
}
