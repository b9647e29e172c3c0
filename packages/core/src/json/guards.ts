/**
 * Checks incoming values with plain functions that read the fields a client relies on. They are deliberately looser
 * than the schemas: they prevent crashes and accept additions of newer servers. Each type has its own function, because
 * engines read named fields fastest if a function sees one kind of object.
 */
export type Check = (value: unknown) => boolean
export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = (value: unknown): value is string => typeof value === 'string'
/** A non-empty string. */
export const id = (value: unknown): boolean => typeof value === 'string' && value !== ''
export const number = (value: unknown): boolean => Number.isFinite(value)
export const flag = (value: unknown): boolean => typeof value === 'boolean'
export const time = (value: unknown): boolean => text(value) && number(Date.parse(value))

/** Undefined, or valid. */
export const maybe = (value: unknown, check: Check): boolean => value === undefined || check(value)

export const list =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return false
    // Unlike `every` this also visits holes.
    for (const item of value) if (!check(item)) return false
    return true
  }
export const record =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check)
export const object =
  (check: (fields: Fields) => boolean): Check =>
  (value) =>
    isObject(value) && check(value)

export const texts: Check = /* @__PURE__ */ list(text)

/**
 * Returns the path at which a check fails: `inputSchema.fields[2].options`, which is the last place that the check
 * read. Call it only for values that failed, so that valid events do not pay for it.
 */
export function pathOfFault(check: Check, value: unknown): string {
  let path = ''
  const watched = (item: unknown, place: string): unknown => {
    if (typeof item !== 'object' || !item) return item
    // The proxy wraps a copy, because a proxy of a frozen object must return the original values.
    return new Proxy(Array.isArray(item) ? [...item] : { ...item }, {
      get(copy, key) {
        const found = (copy as Record<PropertyKey, unknown>)[key]
        if (!Array.isArray(copy)) path = place ? `${place}.${String(key)}` : String(key)
        else if (Number(String(key)) >= 0) path = `${place}[${String(key)}]`
        else return found
        return watched(found, path)
      },
    })
  }
  check(watched(value, ''))
  return path
}
