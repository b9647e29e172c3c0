import { expect, test } from 'vitest'
import type { SurfaceNodes } from './node.ts'
import type { SurfaceTraits } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The behavior when the provider or a node fails. */
export function faultCases({ sendsAfterCrash, retryAfter = true }: SurfaceTraits, use: () => SurfaceNodes): void {
  test('a node that dies between sending and storing loses no message, and repeats one at most as often as stated', async () => {
    const { node, ask, pass, world } = use()
    let deaths = 0
    const dying = node({
      afterPresent(die) {
        if (deaths++ === 0) die()
      },
    })
    await ask(dying)
    await pass(5_000)
    expect([deaths, world.messages().length]).toEqual([1, 1])
    const next = node()
    void next.recover()
    await pass(10 * MINUTE, 10_000)
    const total = () => world.messages().reduce((sum, { sends }) => sum + sends, 0)
    expect(total()).toBeGreaterThanOrEqual(1)
    expect(total()).toBeLessThanOrEqual(sendsAfterCrash)
    // Withdrawn: a recipient who answered may get no further message.
    const { interactions } = await next.interactions.list({ sessionId: 'chat', status: 'open' })
    for (const { interactionId } of interactions) void next.cancelInteraction(interactionId)
    await pass(20_000)
    expect(world.messages().some(({ outcome }) => outcome !== undefined)).toBe(true)
    expect(total()).toBeLessThanOrEqual(sendsAfterCrash)
  })

  test('a message that the provider takes without answering in time is sent at most once more, under the same id', async () => {
    const { node, ask, pass, world } = use()
    const ids: string[] = []
    const holdpoint = node({
      afterPresent(_die, deliveryId) {
        ids.push(deliveryId)
        if (ids.length === 1) throw new Error('The provider did not answer in time.')
      },
    })
    const { asking, interactionId } = await ask(holdpoint)
    const id = await interactionId()
    await pass(5 * MINUTE, 5_000)
    const total = () => world.messages().reduce((sum, { sends }) => sum + sends, 0)
    expect([ids.length <= 2, new Set(ids).size]).toEqual([true, 1])
    expect(total()).toBeGreaterThanOrEqual(1)
    expect(total()).toBeLessThanOrEqual(sendsAfterCrash)
    await holdpoint.cancelInteraction(id)
    await pass(20_000)
    await asking
    expect(world.messages().some(({ outcome }) => outcome !== undefined)).toBe(true)
    expect(total()).toBeLessThanOrEqual(sendsAfterCrash)
  })

  test('a question that is settled while its message is under way is shown as settled', async () => {
    const { node, ask, pass, world } = use()
    let cancel = async () => {}
    let pending: Promise<unknown> | undefined
    const holdpoint = node({
      afterPresent() {
        pending ??= cancel()
      },
    })
    cancel = async () => {
      const { interactions } = await holdpoint.interactions.list({ sessionId: 'chat', status: 'open' })
      for (const { interactionId } of interactions) await holdpoint.cancelInteraction(interactionId)
    }
    const { asking } = await ask(holdpoint)
    await pass(10_000)
    await pending
    await asking
    await pass(10_000)
    expect(world.messages()).toMatchObject([{ sends: 1, outcome: expect.any(String) }])
  })

  test('a provider that asks to wait is called after that time, and not before', async ({ skip }) => {
    if (!retryAfter) return skip('this provider names no time')
    const { node, ask, pass, world } = use()
    world.provider.limitOnce(120)
    await ask(node())
    await pass(110_000)
    expect([world.messages().length, world.provider.calls()]).toEqual([0, 1])
    await pass(20_000)
    expect(world.messages()).toMatchObject([{ sends: 1 }])
  })

  test('a provider that is down for an hour gets each message once when it is back', async () => {
    const { node, ask, pass, world } = use()
    world.provider.down()
    const holdpoint = node()
    for (let n = 0; n < 3; n++) await ask(holdpoint)
    await pass(HOUR, 5_000)
    expect(world.messages()).toEqual([])
    world.provider.up()
    await pass(11 * MINUTE, 5_000)
    expect(world.messages()).toHaveLength(3)
    expect(world.messages().every(({ sends }) => sends === 1)).toBe(true)
  })

  test('a reminder that the provider refuses at first is sent once when it is back', async () => {
    const { node, ask, pass, world } = use()
    await ask(node({ route: { remind: ['15m'] } }))
    await pass(14 * MINUTE, 10_000)
    world.provider.down()
    await pass(3 * MINUTE, 10_000)
    expect(world.messages()).toMatchObject([{ sends: 1, reminders: 0 }])
    world.provider.up()
    await pass(11 * MINUTE, 5_000)
    expect(world.messages()).toMatchObject([{ sends: 1, reminders: 1 }])
  })

  test('a reminder that the provider takes without answering in time is sent at most once more', async () => {
    const { node, ask, pass, world } = use()
    const ids: string[] = []
    const holdpoint = node({
      route: { remind: ['15m'] },
      afterPresent(_die, deliveryId) {
        ids.push(deliveryId)
        if (ids.length === 2) throw new Error('The provider did not answer in time.')
      },
    })
    const { interactionId } = await ask(holdpoint)
    await pass(25 * MINUTE, 10_000)
    expect([ids.length >= 2, new Set(ids).size]).toEqual([true, 2])
    const [message] = world.messages()
    expect([message?.sends, world.messages().length]).toEqual([1, 1])
    expect(message?.reminders).toBeGreaterThanOrEqual(1)
    expect(message?.reminders).toBeLessThanOrEqual(2)
    // The outcome belongs to the first message, also if the reminder was found and not sent again.
    await holdpoint.cancelInteraction(await interactionId())
    await pass(20_000)
    expect(world.messages()).toMatchObject([{ sends: 1, outcome: expect.any(String) }])
  })

  test('a question that is settled while the provider is down is never shown', async () => {
    const { node, ask, pass, answer, world } = use()
    world.provider.down()
    const holdpoint = node()
    await ask(holdpoint)
    await pass(MINUTE)
    await answer(holdpoint)
    world.provider.up()
    await pass(20 * MINUTE, 10_000)
    expect(world.messages()).toEqual([])
  })
}
