/**
 * Returns the canonical text of a JSON value (RFC 8785): no spaces, keys sorted by UTF-16 code units, numbers and
 * strings as in ECMAScript. Two values are equal if their canonical texts are equal.
 */
export function canonicalJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text === undefined ? 'null' : write(JSON.parse(text))
}

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write)}]`
  if (typeof value !== 'object' || !value) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`)}}`
}
