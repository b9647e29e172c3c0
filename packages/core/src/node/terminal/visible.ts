/**
 * Text of a stranger as it may be printed: control characters, which move the cursor, recolour or retitle a terminal,
 * and characters that turn or hide text are shown as escapes. Line feeds and tabs stay.
 *
 * @example
 * console.log(visible(reply.message))
 */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this shows
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  )
}

/** One line of it. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\s*\n\s*/g, ' ')
}

/** Where a link really leads: look-alike letters show in the host's own spelling. */
export function hostOf(address: string): string {
  return new URL(address).host
}
