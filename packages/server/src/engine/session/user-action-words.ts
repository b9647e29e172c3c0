/** What the model is told. What the person typed is quoted as JSON, so that it reads as data. */
export function inTemplate(message: string | ((payload: never) => string), payload: unknown): string {
  if (typeof message === 'function') return message(payload as never)
  return message.replace(/\{([\w.]+)\}/g, (whole, path: string) => {
    const value = path.split('.').reduce<unknown>(fieldOf, payload)
    return value === undefined ? whole : JSON.stringify(value)
  })
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
