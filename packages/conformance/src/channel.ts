import { afterEach, beforeEach, describe } from 'vitest'
import { conversationCases } from './channel/conversations.ts'
import { hostileCases } from './channel/hostile.ts'
import { refusalCases } from './channel/refusals.ts'
import { streamCases } from './channel/streams.ts'
import type { ChannelTraits, ChannelWorld } from './channel/world.ts'

export { contextOf, environment, eventually, type Reader, read } from './channel/reader.ts'
export type * from './channel/world.ts'

/**
 * Runs the tests that every channel between a server and its clients must pass, on real sockets, with the client's own
 * drivers.
 *
 * @example channelSuite('sse', sseChannel)
 */
export function channelSuite(name: string, traits: ChannelTraits): void {
  describe(`channel: ${name}`, () => {
    let world: ChannelWorld | undefined
    const use = () => world!
    beforeEach(async () => {
      world = await traits.make()
    })
    afterEach(() => world?.stop())

    conversationCases(use)
    streamCases(use)
    refusalCases(traits, use)
    hostileCases(use)
  })
}
