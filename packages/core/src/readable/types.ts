/** The words for values that are not text. The defaults are English. */
export interface ReadableWords {
  /** The boolean `true`. @default 'Yes' */
  yes: string
  /** The boolean `false`. @default 'No' */
  no: string
  /** `null`. @default 'None' */
  none: string
  /** An empty text. @default 'Empty' */
  empty: string
  /** An empty list. @default 'Empty list' */
  emptyList: string
}

/** Options of `readableArgs` and `readableText`. */
export interface ReadableOptions {
  /** Language of numbers and dates. @default 'en' */
  locale?: string | undefined
  /** IANA time zone in which instants are shown. @default the time zone of the runtime */
  timeZone?: string | undefined
  /** Words in the language of the reader. */
  words?: Partial<ReadableWords> | undefined
  /** Shows invisible characters of a text. @default `escapeInvisible` of `@holdpoint/core/node` */
  visible?: ((text: string) => string) | undefined
  /** Levels of objects and lists that become rows; what is deeper is shown as JSON. @default 4 */
  depth?: number | undefined
}

/** One value as a person reads it. All texts are escaped and complete; shortening is up to the surface. */
export type ReadableValue =
  /** A text as it is; `block` if it has several lines. */
  | { readonly kind: 'text'; readonly text: string; readonly block: boolean }
  /** A number, a date, yes, no or nothing, written for the reader. `exact` is its JSON. */
  | { readonly kind: 'plain'; readonly text: string; readonly exact: string }
  | { readonly kind: 'list'; readonly items: readonly ReadableValue[] }
  | { readonly kind: 'group'; readonly rows: readonly ReadableRow[] }
  /** Nested too deep for rows. */
  | { readonly kind: 'json'; readonly text: string }

/** One argument: its label and its value. */
export interface ReadableRow {
  /** The exact key, unescaped: use it to find the value, never to show it. */
  readonly key: string
  readonly label: string
  /** The exact key, escaped, where the label alone could be taken for that of another key. */
  readonly exactKey?: string
  readonly value: ReadableValue
}
