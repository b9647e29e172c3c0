export { memoryTransport } from '../transport/memory.ts'
export { recordedPeer } from './recorded-peer.ts'
