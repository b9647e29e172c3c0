import { expect } from 'vitest'
import { ONCE, type Row, textOf } from './run-row.ts'
import { callOf } from './tools.ts'
import { clockedWorld } from './world.ts'

/** Rows about answers, and about questions that end without one. */
export const endingRows: readonly Row[] = [
  {
    id: 'expired',
    async run({ driver }) {
      const { agent, clock, human, ran } = await clockedWorld(driver)
      const stop = await agent.begin([callOf()])
      await human.next()
      await clock.advance('6m')
      const { calls } = await agent.resume(stop.saved)
      expect(textOf(calls['call-1'])).toMatch(/in time/)
      expect(ran).toEqual([])
    },
  },
  {
    id: 'late',
    async run({ driver }) {
      const { agent, clock, human, ran } = await clockedWorld(driver)
      const stop = await agent.begin([callOf()])
      const question = await human.next()
      await clock.advance('6m')
      await expect(human.approve(question)).rejects.toMatchObject({ code: 'expired' })
      expect((await agent.resume(stop.saved)).calls['call-1']).toMatchObject({ state: 'not_done' })
      expect(ran).toEqual([])
    },
  },
  {
    id: 'denied',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      await human.deny(await human.next(), 'I need the file')
      const { calls } = await agent.resume(stop.saved)
      expect(textOf(calls['call-1'])).toContain('I need the file')
      expect(world.ran).toEqual([])
    },
  },
  {
    id: 'superseded',
    async run({ driver, world }) {
      const { agent, holdpoint, human, stop } = await world.asked(callOf())
      const question = await human.next()
      if (agent.newMessage) await agent.newMessage(stop.saved)
      else await holdpoint.session(driver.sessionId, { userId: 'ada' }).declineWaiting({ runId: 'next' })
      await expect(human.approve(question)).rejects.toMatchObject({
        code: expect.stringMatching(/^(superseded|already_answered)$/),
      })
      await agent.resume(stop.saved).catch(() => {})
      expect(world.ran).toEqual([])
    },
  },
  {
    id: 'edited',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      await human.approve(await human.next(), { args: { files: ['b.txt', 'c.txt'] } })
      const { calls } = await agent.resume(stop.saved)
      expect(calls['call-1']).toEqual({ state: 'done', output: { deleted: 2 } })
      expect(world.ran).toEqual([{ tool: 'delete_files', files: ['b.txt', 'c.txt'] }])
    },
  },
  {
    id: 'invalid_edit',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      await human.approve(await human.next(), { args: { files: ['/'] } })
      const going = agent.resume(stop.saved)
      const again = await human.next()
      expect(again.request).toMatchObject({ error: 'The root cannot be deleted.' })
      expect(world.ran).toEqual([])
      await human.approve(again, { args: { files: ['a.txt'] } })
      const second = await going
      if (second.calls['call-1']?.state === 'waiting') await agent.resume(second.saved)
      expect(world.ran).toEqual(ONCE)
    },
  },
]
