import type { FieldProblem } from '@holdpoint/core/internal'
import { say, sizeText } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

export type Problems = Readonly<Record<string, readonly string[]>>

type Params = NonNullable<FieldProblem['params']>

/** The validator's problems in the reader's language, with dates in the reader's format. */
export function sentences(
  problems: Readonly<Record<string, readonly FieldProblem[]>>,
  messages: Pick<Messages, 'problems'>,
  locale = 'en',
): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([id, list]) => [
      id,
      list.map(({ code, params, message }) => {
        const sentence = messages.problems[code]
        return sentence === undefined ? message : say(sentence, readable(params, locale))
      }),
    ]),
  )
}

/** Writes sizes and dates as people do. */
function readable({ limit, min, max, ...params }: Params = {}, locale: string): Params {
  return {
    ...params,
    ...(min !== undefined && { min: dateText(min, locale) }),
    ...(max !== undefined && { max: dateText(max, locale) }),
    ...(limit !== undefined && { limit: typeof limit === 'number' ? sizeText(limit, locale) : limit }),
  }
}

/** A day as it is, a moment in the reader's zone; anything else stays as it is. */
function dateText(given: string | number, locale: string): string | number {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d/.test(given)) return given
  const day = given.length === 10
  const time = Date.parse(given)
  if (Number.isNaN(time)) return given
  const form = day
    ? ({ dateStyle: 'long', timeZone: 'UTC' } as const)
    : ({ dateStyle: 'long', timeStyle: 'short' } as const)
  return new Intl.DateTimeFormat(locale, form).format(time)
}
