import { afterEach, beforeEach, describe } from 'vitest'
import { callCases } from './transport/calls.ts'
import { faultCases } from './transport/faults.ts'
import type { PeerTraits, ScriptedPeer } from './transport/script.ts'
import { streamCases } from './transport/streams.ts'

export { longPollPeer } from './transport/long-poll-peer.ts'
export { memoryPeer } from './transport/memory-peer.ts'
export { messagePortPeer } from './transport/message-port-peer.ts'
export { context, listen, type Recorder, settle } from './transport/recorder.ts'
export * from './transport/script.ts'
export { ssePeer } from './transport/sse-peer.ts'
export { webSocketPeer } from './transport/websocket-peer.ts'

/**
 * Runs the tests that every driver of the transport port must pass, against a scripted peer with real sockets:
 * connections cut at each byte, refusals, garbage, silence.
 *
 * @example transportSuite('sse', ssePeer)
 */
export function transportSuite(name: string, traits: PeerTraits): void {
  describe(`transport: ${name}`, () => {
    let peer: ScriptedPeer | undefined
    let bearer = 'first'
    const use = () => peer!
    const setBearer = (next: string) => {
      bearer = next
    }
    beforeEach(async () => {
      bearer = 'first'
      peer = await traits.make(() => bearer)
    })
    afterEach(() => peer?.stop())

    streamCases(traits, use)
    faultCases(traits, use, setBearer)
    callCases(traits, use, setBearer)
  })
}
