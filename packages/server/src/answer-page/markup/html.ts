import { escapeInvisible } from '@holdpoint/core/internal'
/** Markup that may be written into a page without escaping. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | false | null | undefined | readonly Part[]

/** Builds markup. Every interpolated text is escaped, for content and for quoted attributes. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.map((piece, index) => (index === 0 ? piece : written(parts[index - 1]) + piece)).join(''))
}

function written(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return String(part).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/**
 * Returns markup for untrusted text. It shows invisible characters, and isolates the direction of the text from its
 * surroundings.
 */
export const outside = (text: string): Html => html`<bdi>${escapeInvisible(text)}</bdi>`
