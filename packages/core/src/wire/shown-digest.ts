import { canonicalJson } from '../json/canonical.ts'
import { sha256 } from '../json/sha256.ts'
import type { AuthNeededEvent, InteractionRequestEvent } from '../protocol/events.ts'

/**
 * Returns the digest of the question that a person had on screen: SHA-256 of the canonical JSON of its event, in
 * base64url. An answer that carries it counts only if the server has the same question.
 *
 * @example
 * await holdpoint.answer({ ...ids, answer: { action: 'approve', shownDigest: shownDigest(request) } })
 */
export function shownDigest(request: InteractionRequestEvent | AuthNeededEvent): string {
  const bytes = sha256(new TextEncoder().encode(canonicalJson(request)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
