import { createHoldpointClient, sse, type Transport } from '@holdpoint/core'
import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { parseClientMessage } from '@holdpoint/core/protocol'
import { shownDigest } from '@holdpoint/core/wire'
import { memoryStore } from '@holdpoint/server/memory'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AskedWorld, askedWorld, filledIn, yes } from './support/asked-world.ts'

let world: AskedWorld
beforeAll(async () => {
  world = await askedWorld(memoryStore())
})
afterAll(() => world.stop())

describe('an approval over HTTP', () => {
  test('is rejected without the digest of what was shown, and the question stays open [HP-SHN-1]', async () => {
    const asked = await world.asks('approval')
    const { shownDigest: _none, ...without } = yes(asked)
    const reply = await world.send(without)
    expect(reply).toMatchObject({ status: 400, code: 'invalid_message', body: { error: { path: 'shownDigest' } } })
    expect(await world.send(yes(asked))).toMatchObject({ status: 200 })
    expect(await asked.outcome).toMatchObject({ outcome: 'approved' })
  })

  test('is rejected with shown_differs if the digest is of something else than the open question, which stays open [HP-SHN-2]', async () => {
    const asked = await world.asks('approval')
    const other = await world.asks('approval')
    const reply = await world.send({ ...yes(asked), shownDigest: other.shownDigest })
    expect(reply).toMatchObject({ status: 409, code: 'shown_differs' })
    // A refused answer used nothing up, its id included.
    expect(await world.send(yes(asked))).toMatchObject({ status: 200 })
  })

  test('is rejected as a form without the digest of what was shown, and the question stays open [HP-SHN-1]', async () => {
    const asked = await world.asks('form')
    const { shownDigest: _none, ...without } = filledIn(asked)
    const reply = await world.send(without)
    expect(reply).toMatchObject({ status: 400, code: 'invalid_message', body: { error: { path: 'shownDigest' } } })
    expect(await world.send({ ...without, action: 'decline' })).toMatchObject({ status: 200 })
  })

  test('is rejected as a form with the digest of another form [HP-SHN-2]', async () => {
    const asked = await world.asks('form')
    const reply = await world.send({ ...filledIn(asked), shownDigest: 'of another form' })
    expect(reply).toMatchObject({ status: 409, code: 'shown_differs' })
    expect(await world.send(filledIn(asked))).toMatchObject({ status: 200 })
  })

  test('needs no digest if it denies, because a denial runs nothing', async () => {
    const asked = await world.asks('approval')
    const { shownDigest: _none, ...without } = yes(asked)
    expect(await world.send({ ...without, action: 'deny' })).toMatchObject({ status: 200 })
    expect(parseClientMessage(JSON.stringify({ ...without, action: 'deny' }))).toMatchObject({ ok: true })
  })
})

describe('a client whose question was changed in transit', () => {
  /** A proxy that shows harmless arguments: in the stream and in snapshots, while it lies. */
  function lying(transport: Transport): { transport: Transport; stop(): void } {
    let lies = true
    const lie = <T>(value: T): T =>
      lies ? (JSON.parse(JSON.stringify(value).replaceAll('Delete 3 files?', 'Delete nothing?')) as T) : value
    return {
      stop: () => {
        lies = false
      },
      transport: {
        ...transport,
        connect: (context, cursor, listener) =>
          transport.connect(context, cursor, { ...listener, events: (...told) => listener.events(...lie(told)) }),
        snapshot: async (...call) => lie(await transport.snapshot(...call)),
      },
    }
  }

  test('cannot approve the changed question, reads the stored one, and can then approve that [HP-SHN-5]', async () => {
    const asked = await world.asks('approval', 'lied-to')
    const { origin } = new URL(world.url)
    const proxy = lying(sse({ url: world.url, headers: { 'x-user': 'ada', origin } }))
    const client = createHoldpointClient({ sessionId: 'lied-to', transport: proxy.transport })
    client.connect()
    const prompt = () =>
      (client.getSnapshot().interactions.get(asked.interactionId)?.request as InteractionRequestEvent | undefined)
        ?.prompt
    await vi.waitFor(() => expect(prompt()).toBe('Delete nothing?'))
    proxy.stop()
    expect(await client.respond(asked.interactionId, { action: 'approve' })).toMatchObject({ status: 'shown_differs' })
    await vi.waitFor(() => expect(prompt()).toBe('Delete 3 files?'))
    expect(client.getSnapshot().pendingIds).toContain(asked.interactionId)
    expect(await client.respond(asked.interactionId, { action: 'approve' })).toEqual({ status: 'accepted' })
    expect(await asked.outcome).toMatchObject({ outcome: 'approved' })
    client.close()
  })

  test('cannot approve a question that a card drew from an outdated copy', async () => {
    const asked = await world.asks('approval', 'copied')
    const { origin } = new URL(world.url)
    const transport = sse({ url: world.url, headers: { 'x-user': 'ada', origin } })
    const client = createHoldpointClient({ sessionId: 'copied', transport })
    client.connect()
    const drawn = await vi.waitFor(() => {
      const found = client.getSnapshot().interactions.get(asked.interactionId)?.request
      expect(found).toBeDefined()
      return { ...found, prompt: 'Delete nothing?' } as InteractionRequestEvent
    })
    const answer = { action: 'approve' as const, shownDigest: shownDigest(drawn) }
    expect(await client.respond(asked.interactionId, answer)).toMatchObject({ status: 'shown_differs' })
    expect(await client.respond(asked.interactionId, { action: 'deny' })).toEqual({ status: 'accepted' })
    client.close()
  })
})
