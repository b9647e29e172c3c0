import { shownDigest } from '@holdpoint/core/wire'
import { expect } from 'vitest'
import { DONE, ONCE, type Row } from './run-row.ts'
import { callOf } from './tools.ts'

/** Rows in which a resume or an answer is not what it claims to be. */
export const hostileRows: readonly Row[] = [
  {
    id: 'forged',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      const forgeries = agent.forgeries(structuredClone(stop.saved))
      expect(forgeries.length, 'the driver names at least one forgery').toBeGreaterThan(0)
      for (const { name, resume } of forgeries) {
        await resume().catch(() => {})
        expect(world.ran, name).toEqual([])
        expect(await human.waiting(), name).toHaveLength(1)
      }
      await human.approve(await human.next())
      expect((await agent.resume(stop.saved)).calls['call-1']).toEqual(DONE)
      expect(world.ran).toEqual(ONCE)
    },
  },
  {
    id: 'foreign_user',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      const bob = await world.node('bob')
      const question = await human.next()
      expect(await bob.human.waiting()).toEqual([])
      const outcome = await bob.holdpoint.answer({
        principal: { userId: 'bob' },
        sessionId: question.sessionId,
        interactionId: question.interactionId,
        answerId: 'bob-1',
        clientId: 'bob',
        answer: { action: 'approve', shownDigest: shownDigest(question.request) },
      })
      expect(outcome).toMatchObject({ status: 'refused', code: 'not_found' })
      await human.approve(question)
      await bob.agent.resume(structuredClone(stop.saved)).catch(() => {})
      expect(world.ran).toEqual([])
      expect((await agent.resume(stop.saved)).calls['call-1']).toEqual(DONE)
    },
  },
  {
    id: 'other_arguments',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      await human.approve(await human.next())
      const changed = agent.withInput?.(structuredClone(stop.saved), 'call-1', { files: ['everything'] })
      expect(changed, 'the driver has `withInput`, or says in `cannot` why not').toBeDefined()
      await agent.resume(changed).catch(() => {})
      expect(world.ran).toEqual([])
      expect((await agent.resume(stop.saved)).calls['call-1']).toEqual(DONE)
      expect(world.ran).toEqual(ONCE)
    },
  },
  {
    id: 'partial',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(
        callOf('delete_files', 'call-1', ['a.txt']),
        callOf('delete_files', 'call-2', ['b.txt']),
      )
      expect([stop.calls['call-1']?.state, stop.calls['call-2']?.state]).toEqual(['waiting', 'waiting'])
      const questions = await human.waiting()
      const of = (toolCallId: string) => questions.find(({ request }) => filesOf(request).includes(toolCallId))!
      await human.approve(of('a.txt'))
      const partly = await agent.resume(structuredClone(stop.saved))
      expect(world.ran.filter(({ files }) => files.includes('b.txt'))).toEqual([])
      await human.approve(of('b.txt'))
      // A framework that still waits continues from there. One that ended the open call repeats its first resume.
      const waits = Object.values(partly.calls).some(({ state }) => state === 'waiting')
      const last = await agent.resume(waits ? partly.saved : stop.saved)
      expect(last.calls['call-2']).toEqual(DONE)
      expect(world.ran.map(({ files }) => files[0]).sort()).toEqual(['a.txt', 'b.txt'])
    },
  },
  {
    id: 'answered_elsewhere',
    async run({ world }) {
      const { agent, stop } = await world.asked(callOf())
      const phone = await world.node()
      await phone.human.deny(await phone.human.next(), 'I need it')
      const { calls } = await agent.resume(stop.saved, 'approve')
      expect(calls['call-1']).toMatchObject({ state: 'not_done' })
      expect(world.ran).toEqual([])
    },
  },
]

const filesOf = (request: object) => JSON.stringify(request)
