import { afterEach, beforeEach, describe } from 'vitest'
import { faultCases } from './surface/faults.ts'
import { formCases } from './surface/forms.ts'
import { inboundCases } from './surface/inbound.ts'
import { messageCases } from './surface/messages.ts'
import { type SurfaceNodes, surfaceNodes } from './surface/node.ts'
import type { SurfaceTraits } from './surface/world.ts'

export type * from './surface/world.ts'

/**
 * Runs the tests that every surface must pass: nodes on one store, a double of the provider, and a clock that the tests
 * move.
 *
 * @example surfaceSuite('email', { make: () => mailWorld(), sendsAfterCrash: 2 })
 */
export function surfaceSuite(name: string, traits: SurfaceTraits): void {
  describe(`surface: ${name}`, () => {
    let nodes: SurfaceNodes | undefined
    const use = () => nodes!
    beforeEach(async () => {
      nodes = await surfaceNodes(traits)
    })
    afterEach(() => nodes?.stop())

    messageCases(use)
    faultCases(traits, use)
    inboundCases(use)
    formCases(use)
  })
}
