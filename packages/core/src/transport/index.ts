export { decodeFrame } from '../wire/events/frame.ts'
export type { PortLike } from './message-port.ts'
export type { Environment, Transport } from './types.ts'
