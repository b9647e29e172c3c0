import { createHoldpointClient, type HoldpointClient } from '@holdpoint/core'
import { afterEach, describe, expect, test } from 'vitest'
import { contextOf, count, eventually, read, say } from './reader.ts'
import type { ChannelWorld } from './world.ts'

/** Asking, answering and resuming, with the client that applications use. */
export function conversationCases(use: () => ChannelWorld): void {
  describe('conversations', () => {
    const clients: HoldpointClient[] = []
    const client = (sessionId: string, user = 'ada') => {
      const made = createHoldpointClient({ sessionId, transport: use().transport(user) })
      made.subscribe(() => {})
      clients.push(made)
      return made
    }
    afterEach(() => {
      for (const one of clients.splice(0)) one.close()
    })
    const sees = (one: HoldpointClient, id: string, status: string) =>
      eventually(() => expect(one.getSnapshot().interactions.get(id)?.status).toBe(status))

    test('[HP-EVT-6] the answer resumes the tool, and every other client sees the answer', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada')
      const [first, second] = [client('s1'), client('s1')]
      await sees(first, asked.interactionId, 'pending')
      await sees(second, asked.interactionId, 'pending')
      expect(await first.respond(asked.interactionId, { action: 'approve', approvalScope: 'session' })).toMatchObject({
        status: 'accepted',
      })
      expect(await asked.outcome).toEqual({ approved: true, scope: 'session' })
      await sees(second, asked.interactionId, 'answered')
      const { answeredHere, response } = second.getSnapshot().interactions.get(asked.interactionId) ?? {}
      expect([answeredHere, response?.respondedBy.userId]).toEqual([false, 'ada'])
      expect(await second.respond(asked.interactionId, { action: 'deny' })).toMatchObject({
        status: 'already_answered',
      })
    })

    test('a client that connects before the session begins receives it', async () => {
      const world = use()
      const early = client('later')
      await new Promise((resolve) => setTimeout(resolve, 50))
      const asked = await world.ask('later', 'ada')
      await sees(early, asked.interactionId, 'pending')
      await early.respond(asked.interactionId, { action: 'deny', reason: 'no' })
      expect(await asked.outcome).toMatchObject({ approved: false })
    })

    test('[HP-ANS-7] an acknowledged answer is in the log', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada')
      const message = answer(asked)
      expect(await say(world.transport('ada'), 's1', message)).toMatchObject({
        status: 200,
        body: { status: 'accepted' },
      })
      const reader = read(world.transport('ada'), 's1')
      await eventually(() => expect(reader.types).toContain('interaction_response'))
      reader.close()
      await asked.outcome
    })

    test('[HP-ANS-2] [HP-ANS-3] a repeated answer is accepted once; with another body it is answer_id_reused [T25.1]', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada')
      const send = (message: ReturnType<typeof answer>) => say(world.transport('ada'), 's1', message)
      await send(answer(asked))
      expect(await send(answer(asked))).toMatchObject({ status: 200, body: { replayed: true } })
      expect(await send({ ...answer(asked), action: 'deny' })).toMatchObject({
        status: 409,
        body: { error: { code: 'answer_id_reused' } },
      })
      expect(await asked.outcome).toMatchObject({ approved: true })
    })

    test('[HP-ANS-1] of fifty concurrent answers one wins, and all others receive the winner [R4.1]', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada')
      const transport = world.transport('ada')
      const reader = read(transport, 's1')
      await reader.has(1)
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          transport.send(contextOf('s1', `tab-${index}`), {
            ...answer(asked),
            clientId: `tab-${index}`,
            answerId: `a-${index}`,
          }),
        ),
      )
      expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
      const winner = `tab-${results.findIndex(({ status }) => status === 200)}`
      for (const { status, body } of results.filter((one) => one.status !== 200)) {
        expect([status, body]).toMatchObject([
          409,
          { error: { code: 'already_answered', respondedBy: { userId: 'ada', clientId: winner } } },
        ])
      }
      reader.close()
      await asked.outcome
    })

    test('[HP-ANS-5] an answer to a cancelled question is rejected as cancelled', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada', { runId: 'run-9' })
      const refused = asked.outcome.catch((error: { outcome?: string }) => error.outcome)
      await world.cancelRun('s1', 'ada', 'run-9')
      expect(await say(world.transport('ada'), 's1', answer(asked))).toMatchObject({
        status: 410,
        body: { error: { code: 'cancelled' } },
      })
      await refused
    })

    test('a tool call id that is reused in another run inherits no approval [T12.3]', async () => {
      const world = use()
      const first = await world.ask('s1', 'ada', { runId: 'run-1', callId: 'call-1' })
      await say(world.transport('ada'), 's1', answer(first))
      await first.outcome
      const second = await world.ask('s1', 'ada', { runId: 'run-2', callId: 'call-1' })
      expect(second.interactionId).not.toBe(first.interactionId)
      await say(world.transport('ada'), 's1', { ...answer(second), action: 'deny', answerId: 'a-2' })
      expect(await second.outcome).toMatchObject({ approved: false })
    })

    test('a client that lost its connection resumes without gap or duplicate', async (context) => {
      const world = use()
      if (!world.cut) return context.skip('this channel has no connection that a network could break')
      await world.emit('s1', 'ada', ...count(1, 3))
      const one = client('s1')
      const heard: string[] = []
      one.onEvent((event) => void heard.push(String(event.text)))
      await eventually(() => expect(one.getSnapshot().ready).toBe(true))
      await world.emit('s1', 'ada', 't4')
      await eventually(() => expect(heard.at(-1)).toBe('t4'))
      world.cut()
      await world.emit('s1', 'ada', ...count(5, 30))
      await eventually(() => expect(heard.at(-1)).toBe('t30'))
      expect(heard.filter((text) => Number(text.slice(1)) > 3)).toEqual(count(4, 30))
    })
  })
}

export const answer = ({
  interactionId,
  callId,
  shownDigest,
}: {
  interactionId: string
  callId: string
  shownDigest: string
}) => ({
  type: 'tool_interaction_response' as const,
  clientId: 'tab-1',
  callId,
  interactionId,
  shownDigest,
  answerId: 'a-1',
  action: 'approve' as 'approve' | 'deny',
})
