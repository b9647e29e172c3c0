import { HoldpointError } from '../error.ts'

/** Rejects a missing option at once, because the failure that follows later would not name it. */
export function required<T extends object>(options: T | undefined, ...names: (keyof T & string)[]): void {
  const missing = names.find((name) => !options?.[name])
  if (missing) throw new HoldpointError('invalid_options', `The option "${missing}" is missing or empty.`)
}
