export { decodeFrame, type Frame, type PlacedEvent } from '../wire/events/frame.ts'
export type { PortLike } from './message-port.ts'
export type {
  Environment,
  SendResult,
  Transport,
  TransportConnection,
  TransportContext,
  TransportFailure,
  TransportListener,
} from './types.ts'
