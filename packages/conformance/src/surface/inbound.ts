import { expect, test } from 'vitest'
import type { SurfaceNodes } from './node.ts'

/**
 * Requests that users and strangers send back through the provider. Surfaces that only link to the page skip these
 * tests.
 */
export function inboundCases(use: () => SurfaceNodes): void {
  const withInbound = (title: string, body: (nodes: SurfaceNodes) => Promise<void>) =>
    test(title, async ({ skip }) => {
      const nodes = use()
      if (!nodes.world.press) return skip('this surface takes no answers: it links to the page')
      await body(nodes)
    })
  const status = async ({ world }: SurfaceNodes, holdpoint: ReturnType<SurfaceNodes['node']>, id: string) =>
    (await holdpoint.interactions.get({ sessionId: 'chat', interactionId: id }))?.status ?? world

  withInbound('a user answers on the surface, and the message shows it', async (nodes) => {
    const { node, ask, pass, world, idle } = nodes
    const holdpoint = node()
    const { asking } = await ask(holdpoint)
    await pass(5_000)
    await holdpoint.fetch(await world.press!({ messageOf: 'ada', by: 'ada', action: 'approve' }))
    await pass(5_000)
    await idle()
    expect(await asking).toMatchObject({ outcome: 'approved' })
    expect(world.messages()).toMatchObject([{ outcome: expect.stringMatching(/approved/i) }])
  })

  withInbound('a press on another user’s message is refused, and nothing changes', async (nodes) => {
    const { node, ask, pass, world } = nodes
    const holdpoint = node()
    const { interactionId } = await ask(holdpoint)
    const id = await interactionId()
    await pass(5_000)
    for (const by of ['stranger', 'eve']) {
      await holdpoint.fetch(await world.press!({ messageOf: 'ada', by, action: 'approve' }))
      await pass(2_000)
    }
    expect(await status(nodes, holdpoint, id)).toBe('open')
    expect(world.messages()).toMatchObject([{ sends: 1 }])
    expect(world.messages()[0]?.outcome).toBeUndefined()
  })

  withInbound('a replayed request changes nothing', async (nodes) => {
    const { node, ask, pass, world } = nodes
    const holdpoint = node()
    const { asking } = await ask(holdpoint)
    await pass(5_000)
    const request = await world.press!({ messageOf: 'ada', by: 'ada', action: 'deny' })
    const copies = Array.from({ length: 5 }, () => request.clone())
    await Promise.all(copies.map((copy) => holdpoint.fetch(copy)))
    await pass(5_000)
    expect(await asking).toMatchObject({ outcome: 'denied' })
    expect(world.messages()).toMatchObject([{ outcome: expect.stringMatching(/denied/i) }])
  })

  withInbound('forged requests are refused', async (nodes) => {
    const { node, ask, pass, world } = nodes
    const holdpoint = node()
    const { interactionId } = await ask(holdpoint)
    const id = await interactionId()
    await pass(5_000)
    const forged = await world.forged!({ messageOf: 'ada', by: 'ada', action: 'approve' })
    expect(Object.keys(forged).length).toBeGreaterThan(2)
    for (const [name, request] of Object.entries(forged)) {
      const answer = await holdpoint.fetch(request)
      expect([name, answer.status >= 400]).toEqual([name, true])
    }
    await pass(2_000)
    expect(await status(nodes, holdpoint, id)).toBe('open')
  })

  withInbound('an answer that arrives before the reference was stored counts', async (nodes) => {
    const { node, ask, pass, world } = nodes
    let press = async () => {}
    const holdpoint = node({ afterPresent: () => void press() })
    let done: Promise<unknown> = Promise.resolve()
    press = async () => {
      done = holdpoint.fetch(await world.press!({ messageOf: 'ada', by: 'ada', action: 'approve' }))
      await done
    }
    const { asking } = await ask(holdpoint)
    await pass(10_000)
    await done
    await pass(10_000)
    expect(await asking).toMatchObject({ outcome: 'approved' })
    expect(world.messages()).toMatchObject([{ sends: 1, outcome: expect.stringMatching(/approved/i) }])
  })
}
