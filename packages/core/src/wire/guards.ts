/**
 * What events are looked at with. A check gives `undefined` when a value will do, else the path of what will not.
 * Checks are looser than the schemas on purpose: they keep a client from crashing, and let a newer server say what this
 * client has not heard of.
 */
export type Fault = string | undefined
export type Check = (value: unknown, path: string) => Fault
export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const when =
  (test: (value: unknown) => unknown): Check =>
  (value, path) =>
    test(value) ? undefined : path

/** Paths of items are put together only when one is at fault. */
const list =
  (item: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return path
    for (let i = 0; i < value.length; i++) {
      const fault = item(value[i], '')
      if (fault !== undefined) return join(`${path}[${i}]`, fault)
    }
    return undefined
  }

const record =
  (item: Check): Check =>
  (value, path) => {
    if (!isObject(value)) return path
    for (const key in value) {
      const fault = item(value[key], '')
      if (fault !== undefined) return join(join(path, key), fault)
    }
    return undefined
  }

const join = (head: string, tail: string) => (head && tail && !tail.startsWith('[') ? `${head}.${tail}` : head + tail)

/**
 * The check of an object's fields from one line about them: `name:kind`, with `?` after the name of what may be
 * missing. Kinds are text (when none is said), id (not empty), number, flag, time and object, the names of `parts`,
 * and lists (`text[]`) and records (`text[]{}`) of them.
 *
 * @example
 * compile('path hunks:hunk[]', { hunk: 'id lines:text[]' })
 */
export function compile(line: string, parts: Record<string, string> = {}): Check {
  const kinds: Record<string, Check> = {
    text: when((value) => typeof value === 'string'),
    id: when((value) => typeof value === 'string' && value),
    number: when(Number.isFinite),
    flag: when((value) => typeof value === 'boolean'),
    time: when((value) => typeof value === 'string' && Number.isFinite(Date.parse(value))),
    object: when(isObject),
  }
  const kind = (name: string): Check =>
    name.endsWith('[]')
      ? list(kind(name.slice(0, -2)))
      : name.endsWith('{}')
        ? record(kind(name.slice(0, -2)))
        : (kinds[name] ?? fields(parts[name]!))
  const fields = (words: string): Check => {
    const rules = words.split(' ').map((word) => {
      const [name = '', of = 'text'] = word.split(':')
      // Nearly every field is a string: those are decided without a call.
      const shortest = of === 'text' ? 0 : of === 'id' ? 1 : Number.NaN
      return { name: name.replace('?', ''), shortest, check: kind(of), optional: name.endsWith('?') }
    })
    return (value, path) => {
      if (!isObject(value)) return path
      for (let i = 0; i < rules.length; i++) {
        const { name, shortest, check, optional } = rules[i]!
        const field = value[name]
        if (typeof field === 'string' ? field.length >= shortest : optional && field === undefined) continue
        const fault = check(field, name)
        if (fault !== undefined) return join(path, fault)
      }
      return undefined
    }
  }
  return fields(line)
}
