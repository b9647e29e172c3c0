export { type MemoryPeer, memory } from '../transport/memory.ts'
export { recordedPeer } from './recorded-peer.ts'
