import { problem } from '../forms/fields/problem.ts'
import type { FieldProblem } from '../forms/fields/types.ts'
import { isDay } from './dates.ts'
import type { EditableGroup, EditableValue } from './editable-args.ts'

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Returns the arguments that a form of `editableArgs` stands for. An unchanged form returns exactly equal arguments. */
export function writtenArgs(form: EditableGroup): unknown {
  return written(form)
}

function written(value: EditableValue): unknown {
  switch (value.kind) {
    case 'text':
    case 'date':
      return value.text
    case 'flag':
      return value.on
    case 'number':
      // Text that is no number yet stays as it was typed: it cannot be sent, but it can be corrected as JSON.
      return value.typed === undefined ? value.value : numberProblem(value.typed) ? value.typed : Number(value.typed)
    case 'list':
      return value.items.map(written)
    case 'group':
      return Object.fromEntries(value.entries.map((entry) => [entry.key, written(entry.value)]))
    default:
      return value.value
  }
}

/** Names a value in `problemsOfForm`: a top-level argument by its key, as the server does, and others by their path. */
export const valueId = (path: readonly (string | number)[]): string =>
  path.length === 1 ? String(path[0]) : JSON.stringify(path)

/** Returns the problems of what was typed, by `valueId`. */
export function problemsOfForm(form: EditableGroup): Record<string, FieldProblem[]> {
  return Object.fromEntries(problemsIn(form, []))
}

function problemsIn(value: EditableValue, path: readonly (string | number)[]): [string, FieldProblem[]][] {
  if (value.kind === 'list') return value.items.flatMap((item, index) => problemsIn(item, [...path, index]))
  if (value.kind === 'group') return value.entries.flatMap((entry) => problemsIn(entry.value, [...path, entry.key]))
  const found =
    value.kind === 'number' && value.typed !== undefined
      ? numberProblem(value.typed)
      : value.kind === 'date' && !isDay(value.text)
        ? problem('bad_date')
        : undefined
  return found ? [[valueId(path), [found]]] : []
}

/** A number must run as it was typed: digits that JavaScript would drop are a problem. */
function numberProblem(typed: string): FieldProblem | undefined {
  const value = Number(typed)
  if (!NUMBER.test(typed) || !Number.isFinite(value)) return problem('type', { expected: 'a number' })
  if (value > Number.MAX_SAFE_INTEGER) return problem('too_big', { max: Number.MAX_SAFE_INTEGER })
  if (value < -Number.MAX_SAFE_INTEGER) return problem('too_small', { min: -Number.MAX_SAFE_INTEGER })
  return digitsOf(typed) === digitsOf(JSON.stringify(value)) ? undefined : problem('custom')
}

/** The significant digits of a number. */
const digitsOf = (text: string) =>
  text
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '')
