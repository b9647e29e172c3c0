export { english } from './en.ts'
export type { Messages } from './messages.ts'
export { plural } from './plural.ts'
