import { describe, expect, test } from 'vitest'
import { request } from '../../test/support/log.ts'
import { startClient } from '../../test/support/start-client.ts'
import { settle } from '../../test/support/virtual-environment.ts'
import type { ToolInteractionResponseMessage } from '../protocol/messages.ts'
import type { SendResult } from '../transport/types.ts'
import { shownDigest } from '../wire/shown-digest.ts'

const ids = Array.from({ length: 12 }, (_, n) => `i${n}`)
const approve = { action: 'approve' } as const
const all = (which: readonly string[] = ids) => which.map((interactionId) => ({ interactionId, answer: approve }))

async function start(reply: (message: ToolInteractionResponseMessage) => SendResult | Promise<SendResult> | undefined) {
  const it = startClient({}, (server) => server.append(...ids.map((id) => request(id, { args: { id } }))))
  it.server.script.onSend = (message) =>
    message.type === 'tool_interaction_response' ? reply(message as ToolInteractionResponseMessage) : undefined
  it.client.subscribe(() => {})
  await settle()
  return it
}
const error = (status: number, code: string): SendResult => ({ status, body: { error: { code, message: 'No.' } } })
const taken: SendResult = { status: 200, body: { status: 'accepted' } }

describe('respondAll', () => {
  test('sends one answer for each question, with an id and a shown digest of its own', async () => {
    const { client, server } = await start(() => taken)
    const digests = ids.map((id) => shownDigest(client.getSnapshot().interactions.get(id)!.request))
    const outcomes = await client.respondAll(all())
    expect(outcomes).toEqual(
      ids.map((interactionId) => ({ interactionId, outcome: 'accepted', result: { status: 'accepted' } })),
    )
    const sent = server.answers() as ToolInteractionResponseMessage[]
    expect(sent.map(({ interactionId }) => interactionId)).toEqual(ids)
    expect(new Set(sent.map(({ answerId }) => answerId)).size).toBe(12)
    expect(sent.map((message) => message.shownDigest)).toEqual(digests)
    expect(new Set(digests).size).toBe(12)
  })

  test('returns the result of each answer', async () => {
    const replies: Record<string, SendResult> = {
      i0: taken,
      i1: error(409, 'already_answered'),
      i2: error(410, 'expired'),
      i3: error(403, 'forbidden'),
      i4: error(409, 'shown_differs'),
      i5: error(400, 'scope_not_offered'),
      i6: { status: 501, body: {} },
    }
    const { client } = await start(({ interactionId }) => replies[interactionId])
    const outcomes = await client.respondAll(all([...Object.keys(replies), 'none']))
    expect(outcomes.map(({ interactionId, outcome, result }) => [interactionId, outcome, result.status])).toEqual([
      ['i0', 'accepted', 'accepted'],
      ['i1', 'conflict', 'already_answered'],
      ['i2', 'conflict', 'expired'],
      ['i3', 'refused', 'forbidden'],
      ['i4', 'refused', 'shown_differs'],
      ['i5', 'refused', 'invalid'],
      ['i6', 'unsent', 'not_sent'],
      ['none', 'refused', 'unknown'],
    ])
    // The draft stays at its question and can be sent again.
    expect(client.getSnapshot().interactions.get('i6')).toMatchObject({
      status: 'not_sent',
      draft: { answer: approve },
    })
  })

  test('sends at most six at a time', async () => {
    let under = 0
    let most = 0
    const waiting: (() => void)[] = []
    const { client } = await start(
      () =>
        new Promise((resolve) => {
          most = Math.max(most, ++under)
          waiting.push(() => {
            under--
            resolve(taken)
          })
        }),
    )
    const all12 = client.respondAll(all())
    for (let done = 0; done < 12; done++) {
      await settle()
      waiting.shift()!()
    }
    expect((await all12).every(({ outcome }) => outcome === 'accepted')).toBe(true)
    expect(most).toBe(6)
  })

  test('does not answer a question that changed between the call and its turn', async () => {
    const open: (() => void)[] = []
    const { client, server } = await start(({ interactionId }) =>
      interactionId === 'i11' ? taken : new Promise((resolve) => open.push(() => resolve(taken))),
    )
    const pressed = client.respondAll(all())
    await settle()
    const other = request('i11', { args: { id: 'another' } })
    // After the next read, the server has another question than the one on screen.
    const changed = server.log.map((event) =>
      'interactionId' in event && event.interactionId === 'i11' ? other : event,
    )
    server.restore(changed)
    server.reset('epoch')
    await settle()
    expect(client.getSnapshot().interactions.get('i11')!.request).toMatchObject({ args: { id: 'another' } })
    await settle()
    for (let n = 0; n < 11; n++) {
      await settle()
      open.shift()!()
    }
    const outcomes = await pressed
    expect(outcomes.at(-1)).toEqual({
      ...{ interactionId: 'i11', outcome: 'refused', result: { status: 'shown_differs' } },
    })
    expect(server.answers().map((message) => (message as ToolInteractionResponseMessage).interactionId)).not.toContain(
      'i11',
    )
  })
})
