/**
 * Characters that change how others are shown, or that show nothing: controls (but not tab and line feed), bidirectional
 * marks, embeddings, overrides and isolates, zero-width and invisible ones, tags, lone surrogates.
 */
const TRICKS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character counts by itself
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<!\p{Emoji})[\ufe0e\ufe0f]|[\ufe00-\ufe0d]|\p{Cs}/gu

/** Joiners that are part of the writing: between emoji, and between letters of scripts that join. */
const JOINS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character counts by itself
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Sinhala}\p{Script=Khmer}]/u

/**
 * The characters that open and close an isolate, whose content cannot change the direction of the text around it.
 * `Text` renders it as `<bdi>`.
 */
export const ISOLATE = '\u2068'
export const POP = '\u2069'

/**
 * Returns text from outside with invisible characters as escapes: `\u{202e}` instead of an override.
 *
 * @example
 * visible('invoice\u202Efdp.exe')   // 'invoice\\u{202e}fdp.exe'
 */
export function visible(text: string): string {
  return text.replace(TRICKS, (trick, at: number) => {
    if ((trick === '\u200d' || trick === '\u200c') && joins(text.slice(0, at), text.slice(at + 1))) return trick
    return `\\u{${trick.codePointAt(0)!.toString(16)}}`
  })
}

function joins(before: string, after: string): boolean {
  const last = [...before.slice(-2)].pop() ?? ''
  const next = [...after.slice(0, 2)][0] ?? ''
  return JOINS.test(last) && JOINS.test(next)
}

/** Returns a name from outside for use in a sentence: on one line, escaped and isolated. */
export function nameText(text: string): string {
  return `${ISOLATE}${visible(text.replace(/\s+/g, ' ').trim())}${POP}`
}

/** Host of an http(s) address, in punycode, so that look-alike letters show; null for anything else. */
export function hostOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, host, username, password } = new URL(address)
  const web = protocol === 'https:' || protocol === 'http:'
  return web && host && !username && !password ? host : null
}
