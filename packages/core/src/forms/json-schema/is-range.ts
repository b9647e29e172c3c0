type Schema = Readonly<Record<string, unknown>>

const ABOUT = ['title', 'description', '$comment', 'examples', 'deprecated']

/** Whether an object is two required dates `from` and `to`: the only object that one control can hold. */
export function isRange({
  type,
  properties,
  required,
  additionalProperties,
  default: _value,
  ...rest
}: Schema): boolean {
  const { from, to, ...more } = (properties ?? {}) as Schema
  const both = Array.isArray(required) && [...required].sort().join() === 'from,to'
  const closed = additionalProperties === undefined || typeof additionalProperties === 'boolean'
  return type === 'object' && both && closed && isEmpty(more) && isAbout(rest) && isDay(from) && isDay(to)
}

function isDay(day: unknown): boolean {
  const { type, format, ...rest } = (day ?? {}) as Schema
  return type === 'string' && format === 'date' && isAbout(rest)
}

const isAbout = (rest: Schema) => Object.keys(rest).every((key) => ABOUT.includes(key) || key.startsWith('x-'))
const isEmpty = (rest: Schema) => Object.keys(rest).length === 0
