/**
 * Control characters, line separators, and every character that Unicode shows as nothing or that turns the text around it.
 * A variation selector behind an emoji only chooses how that emoji is drawn and stays as it is.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this shows
  /(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|\p{Cs}/gu

/**
 * Returns text of a stranger as it may be printed. Control characters, which move the cursor, recolor or retitle a
 * terminal, and characters that turn or hide text are shown as escapes. Line feeds and tabs stay.
 *
 * @example
 * console.log(visible(reply.message))
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

/** Returns the same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s*\n\s*/g, ' ')
}

/** Returns the host that a link leads to; look-alike letters show as punycode. */
export function hostOf(address: string): string {
  return new URL(address).host
}
