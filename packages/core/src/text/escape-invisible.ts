/**
 * Control characters, line separators, and all characters that Unicode renders as nothing or that reorder text. A
 * variation selector after an emoji only selects its style and is kept.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this shows
  /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|\p{Cs}/gu

/**
 * Returns untrusted text in a form that is safe to print. Control characters, which move the cursor, recolor or retitle
 * a terminal, and characters that reorder or hide text become escapes. Line feeds and tabs stay.
 *
 * @example console.log(escapeInvisible(response.message))
 */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

/** Returns the same on one line. */
export function escapeToOneLine(text: string): string {
  return escapeInvisible(text).replace(/\s*\n\s*/g, ' ')
}

/** Returns the host of a link, with look-alike letters in punycode. */
export function hostOf(address: string): string {
  return new URL(address).host
}
