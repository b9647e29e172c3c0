import type { Execution } from '../calls/execution.ts'

const EXECUTION = Symbol('execution')

interface Executed {
  [EXECUTION]: Execution
}

/**
 * One getter for all contexts: V8 keeps objects with getters of their own as dictionaries, which take 1.6 KB for a context.
 */
const signal: PropertyDescriptor & ThisType<Executed> = {
  get() {
    return this[EXECUTION].signal
  },
  enumerable: true,
  configurable: true,
}

/**
 * Adds the signal of an execution to its context. The signal is created on first access, because a hundred thousand waiting
 * calls rarely use theirs.
 */
export function withSignal<T extends object>(context: T, execution: Execution): T & { readonly signal: AbortSignal } {
  Object.defineProperty(context, EXECUTION, { value: execution })
  return Object.defineProperty(context, 'signal', signal) as T & { readonly signal: AbortSignal }
}
