export { initialState } from './state/initial.ts'
export type { LogEntry } from './state/types.ts'
export { transition } from './transition.ts'
