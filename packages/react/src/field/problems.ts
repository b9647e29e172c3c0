import type { FieldProblem } from '@holdpoint/core/forms'
import { type Messages, say } from '../messages/messages.ts'

export type Problems = Readonly<Record<string, readonly string[]>>

/** The validator's findings in the reader's language. */
export function sentences(problems: Readonly<Record<string, readonly FieldProblem[]>>, messages: Messages): Problems {
  return Object.fromEntries(
    Object.entries(problems).map(([id, list]) => [
      id,
      list.map(({ code, params, message }) => {
        const sentence = messages.problems[code]
        return sentence === undefined ? message : say(sentence, readable(params))
      }),
    ]),
  )
}

/** Nobody counts bytes. */
function readable({ limit, ...params }: NonNullable<FieldProblem['params']> = {}): typeof params {
  if (typeof limit !== 'number') return limit === undefined ? params : { ...params, limit }
  const [size, unit] = limit < 1e6 ? [limit / 1e3, 'kB'] : [limit / 1e6, 'MB']
  return { ...params, limit: `${+size.toFixed(1)} ${unit}` }
}
