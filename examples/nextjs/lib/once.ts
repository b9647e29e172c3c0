/**
 * Bundlers evaluate a module more than once, and again after each edit. An object that holds a database or waits for
 * people must exist once in a process.
 */
export function once<T>(name: string, make: () => T): T {
  const anchor = globalThis as { holdpointExample?: Map<string, unknown> }
  anchor.holdpointExample ??= new Map()
  if (!anchor.holdpointExample.has(name)) anchor.holdpointExample.set(name, make())
  return anchor.holdpointExample.get(name) as T
}
