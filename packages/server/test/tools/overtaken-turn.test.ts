import { seeded } from '@holdpoint/conformance/seeded'
import type { Session } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { clusters, until } from '../engine/support/nodes.ts'
import { ADA } from '../engine/support/world.ts'

describe.each(clusters)('%s', (_name, makeCluster) => {
  function world() {
    const cluster = makeCluster()
    const [one, two] = [cluster.node(), cluster.node()]
    return { one, session: one.holdpoint.session('chat', ADA), other: two.holdpoint.session('chat', ADA) }
  }

  describe('a tool of an earlier turn that asks after the new message', () => {
    const ask = (session: Session, runId: string) =>
      session.toolCall({ runId, toolCallId: `call-${runId}`, toolName: 'send' }).tryApprove({ prompt: runId })

    test('is rejected as superseded, without a question, also in another process', async () => {
      const { one, session, other } = world()
      await session.turn({ runId: 'r1', message: 'send it' })
      await other.turn({ runId: 'r2', message: 'no, wait' })
      expect(await ask(session, 'r1')).toEqual({ outcome: 'superseded', reason: 'declined' })
      expect(await testHuman(one.holdpoint, ADA).waiting()).toEqual([])
    })

    test('is rejected although its turn had ended, and may ask again when its turn continues', async () => {
      const { one, session } = world()
      const human = testHuman(one.holdpoint, ADA)
      const turn = await session.turn({ runId: 'r1', message: 'send it' })
      await turn.done()
      await session.turn({ runId: 'r2', message: 'no, wait' })
      expect(await ask(session, 'r1')).toMatchObject({ outcome: 'superseded' })
      await session.turn({ runId: 'r1' })
      const asked = ask(session, 'r1')
      await human.approve(await human.next())
      expect(await asked).toMatchObject({ outcome: 'approved' })
    })

    test('is not declined by declineWaiting with its runId, and a request that only continues does not reactivate the turn', async () => {
      const { one, session, other } = world()
      const human = testHuman(one.holdpoint, ADA)
      await session.declineWaiting({ runId: 'r1' })
      const first = ask(session, 'r1')
      const { interactionId } = await human.next()
      expect(await other.declineWaiting({ runId: 'r1', continues: true })).toEqual([])
      expect(await other.declineWaiting({ runId: 'r2' })).toEqual([interactionId])
      expect(await first).toMatchObject({ outcome: 'superseded' })
      void ask(other, 'r2')
      const second = await human.next()
      expect(await session.declineWaiting({ runId: 'r1', continues: true })).toEqual([])
      expect((await human.waiting()).map(({ interactionId }) => interactionId)).toEqual([second.interactionId])
      await other.cancel()
    })

    test('stays rejected when its request calls declineWaiting only after the later turn began', async () => {
      const { one, session, other } = world()
      const human = testHuman(one.holdpoint, ADA)
      await session.turn({ runId: 'r1', message: 'send it' })
      await other.turn({ runId: 'r2', message: 'no, wait' })
      await session.declineWaiting({ runId: 'r1' })
      expect(await ask(session, 'r1')).toMatchObject({ outcome: 'superseded' })
      const asked = ask(other, 'r2')
      await human.approve(await human.next())
      expect(await asked).toMatchObject({ outcome: 'approved' })
    })

    test('fifty messages whose tools ask at random times leave one open question, that of the last turn', async () => {
      const { one, session, other } = world()
      const random = seeded(7)
      const turns = Array.from({ length: 50 }, (_, index) => `r${index}`)
      const asked = new Map<string, Promise<unknown>>()
      const toAsk: string[] = []
      const askSome = (share: number) => {
        for (const runId of toAsk.splice(0)) {
          if (random() < share) asked.set(runId, ask(random() < 0.5 ? session : other, runId))
          else toAsk.push(runId)
        }
      }
      for (const runId of turns) {
        await (random() < 0.5 ? session : other).turn({ runId, message: runId })
        toAsk.push(runId)
        askSome(0.3)
      }
      askSome(1)
      const outcomes = await Promise.all(turns.slice(0, -1).map((runId) => asked.get(runId)))
      expect(outcomes).toEqual(turns.slice(0, -1).map(() => expect.objectContaining({ outcome: 'superseded' })))
      const human = testHuman(one.holdpoint, ADA)
      await until(async () => (await human.waiting()).length === 1, 'the question of the last turn')
      expect(await human.waiting()).toMatchObject([{ prompt: turns.at(-1) }])
      await session.cancel()
      await asked.get('r49')
    })
  })
})
