/** Names of fields whose values are always masked. Case, dashes and underscores are ignored. */
const NAMES =
  /(?:password|passwd|passphrase|secret|apikey|privatekey|credentials?|authorization|cookie|accesskey|(?:access|refresh|id|auth|session|bearer|api|bot|csrf|webhook)tokens?)$|^(?:token|pin|otp|cvc|cvv|pwd)$/

/** The formats of common credentials. */
const LOOKS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:bearer|basic)\s+[\w.~+/-]{8,}=*/gi,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,})/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{10,}/g,
  /\bsecret:[\w-]{22}\b/g,
  /(?<=:\/\/)[^\s/:@]{1,256}:[^\s/@]{1,256}(?=@)/g,
]

export const MASK = '[masked]'
/** The minimum length of a secret. Shorter ones would mask ordinary words. */
const SHORTEST = 4

/**
 * Returns the value without credentials: fields with such names, texts in such formats, references to secrets, and the
 * given `secrets`. Shape and other values are unchanged.
 *
 * @example
 * maskCredentials({ url: '/a', headers: { authorization: 'Bearer abcdefgh' } }) // { url: '/a', headers: { authorization: '[masked]' } }
 */
export function maskCredentials<T>(value: T, { secrets = [] }: { secrets?: readonly string[] } = {}): T {
  // Longer secrets are masked first, because a secret may contain a shorter one, and no rest of it may remain.
  const known = secrets.filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
  return masked(value, known, false) as T
}

function masked(value: unknown, secrets: readonly string[], hidden: boolean): unknown {
  if (typeof value === 'string') return hidden ? MASK : maskedText(value, secrets)
  if (typeof value === 'number') return hidden ? MASK : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets, hidden))
  const entries = Object.entries(value).map(([name, item]) => [
    maskedText(name, secrets),
    masked(item, secrets, hidden || isCredential(name)),
  ])
  return Object.fromEntries(entries)
}

function isCredential(name: string): boolean {
  return NAMES.test(
    name
      .slice(-64)
      .replace(/[-_\s]/g, '')
      .toLowerCase(),
  )
}

function maskedText(text: string, secrets: readonly string[]): string {
  const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
  return LOOKS.reduce((rest, look) => rest.replace(look, MASK), plain)
}
