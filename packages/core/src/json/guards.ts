/**
 * What arrives is looked at with checks: plain functions that read the fields a client relies on. They are looser than
 * the schemas on purpose: they keep a client from crashing, and let a newer server say what this client has not heard
 * of. Each type has a function of its own, because engines read named fields fastest where they see one kind of object.
 */
export type Check = (value: unknown) => boolean
export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = (value: unknown): value is string => typeof value === 'string'
/** Text that is not empty. */
export const id = (value: unknown): boolean => typeof value === 'string' && value !== ''
export const number = (value: unknown): boolean => Number.isFinite(value)
export const flag = (value: unknown): boolean => typeof value === 'boolean'
export const time = (value: unknown): boolean => text(value) && number(Date.parse(value))

/** May be missing. */
export const maybe = (value: unknown, check: Check): boolean => value === undefined || check(value)

export const list =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return false
    // Unlike `every` this sees holes too.
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
 * The path at which a check fails: `inputSchema.fields[2].options`. It is what the check looked at last. For values of
 * which that is known already; a stream of good events never comes here.
 */
export function pathOfFault(check: Check, value: unknown): string {
  let path = ''
  const watched = (item: unknown, place: string): unknown => {
    if (typeof item !== 'object' || !item) return item
    // Of a copy: a proxy of something frozen would have to tell the truth about it.
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
