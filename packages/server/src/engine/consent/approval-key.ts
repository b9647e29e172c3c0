import { canonicalJson, digestOf } from '../../base/canonical-json.ts'
import { assertJsonValue } from '../../base/json-value.ts'
import type { ApproveOptions } from '../api/questions.ts'

export interface ApprovalKey {
  /** The canonical text of what an approval with a wider scope is remembered for; none when nothing can be remembered. */
  rememberedKey: string | undefined
  /** Whether the key stands for the request with all its arguments, or may stand for other requests of the tool too. */
  covers: 'request' | 'tool' | undefined
}

/**
 * Returns the key under which an approval is remembered: `rememberAs` of the host, or the whole request if a wider scope is
 * offered.
 */
export function approvalKey<Args>({ rememberAs: key, scopes, args, diff }: ApproveOptions<Args>): ApprovalKey {
  const request = args === undefined ? undefined : canonicalJson(diff?.length ? { args, diff: digestOf(diff) } : args)
  if (key === undefined) {
    const wider = scopes?.some((scope) => scope !== 'once') ?? false
    return wider && request !== undefined
      ? { rememberedKey: request, covers: 'request' }
      : { rememberedKey: undefined, covers: undefined }
  }
  const rememberedKey = keyText(typeof key === 'function' ? key(args as Args) : key)
  return { rememberedKey, covers: rememberedKey === request ? 'request' : 'tool' }
}

/** The text of a key. Throws `invalid_request` for a key that JSON would change: two such keys would become one. */
export function keyText(key: unknown): string {
  assertJsonValue(key, { what: '`rememberAs` of an approval', for: 'identity' })
  return canonicalJson(key)
}
