/** A list of texts, or one text. */
export type Texts = string | readonly string[]

const text = (value: unknown): value is string => typeof value === 'string' && value !== ''
const number = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const listOf =
  <T>(item: (value: unknown) => value is T) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.length > 0 && value.every(item)
const texts = (value: unknown): value is Texts => text(value) || listOf(text)(value)
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** An object of texts and numbers, such as headers. */
const pairs = (value: unknown): value is Readonly<Record<string, string | number>> =>
  isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every((one) => text(one) || number(one))
/** An object with these keys and no others, since a preview shows no others. */
const object =
  <T extends Record<string, (value: unknown) => boolean>>(fields: T, ...required: (keyof T & string)[]) =>
  (
    value: unknown,
  ): value is { readonly [K in keyof T]?: T[K] extends (value: unknown) => value is infer V ? V : unknown } =>
    isRecord(value) &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, inner]) => Object.hasOwn(fields, name) && fields[name]!(inner))
const anything = (value: unknown): value is NonNullable<unknown> => value !== undefined && value !== null

/**
 * Checks of argument values for `definePreview`. A value that its field does not accept is shown as a row.
 *
 * @example
 * definePreview({ fields: { channel: { accepts: argumentChecks.text, required: true } }, load: () => import('./post.tsx') })
 */
export const argumentChecks = { text, texts, number, listOf, pairs, object, anything } as const
