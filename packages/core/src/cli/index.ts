export { createConnections } from './create-connections.ts'
export type * from './types.ts'
