import { sha256 } from '../json/sha256.ts'
import type { HttpOptions } from '../transport/http.ts'

/**
 * The name under which tabs share a stream. Tabs with other credentials get another name, so that no tab reads with
 * the credentials of another user. The name is a hash: every script of the origin can list the names of locks.
 */
export function groupName(
  { url, credentials }: HttpOptions,
  headers: Headers,
  share: boolean | string | undefined,
): string {
  const readAs = typeof share === 'string' ? share : [...headers]
  const text = JSON.stringify([new URL(url, globalThis.location?.href).href, credentials, readAs])
  const hash = sha256(new TextEncoder().encode(text))
  return `holdpoint.1.${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
