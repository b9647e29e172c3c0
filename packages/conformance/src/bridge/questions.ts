import { readHistory } from '@holdpoint/server/tools'
import { expect } from 'vitest'
import type { BridgedAgent, Stop } from './driver.ts'
import type { Row } from './run-row.ts'
import { callOf } from './tools.ts'

const SECRET = 'correct horse battery staple'

/** Rows about forms, secrets and accounts. */
export const questionRows: readonly Row[] = [
  {
    id: 'two_questions',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf('archive_files'))
      await human.approve(await human.next({ kind: 'approval' }))
      const going = agent.resume(stop.saved)
      await human.fill(await human.next({ kind: 'input' }), { folder: 'old' })
      const { calls } = await untilDone(agent, await going)
      expect(calls['call-1']).toEqual({ state: 'done', output: { folder: 'old' } })
      expect(world.ran).toEqual([{ tool: 'archive_files', files: ['a.txt'] }])
    },
  },
  {
    id: 'secret',
    async run({ driver, world }) {
      const { agent, holdpoint, human, stop } = await world.asked(callOf('unlock_files'))
      await human.fill(await human.next(), { password: SECRET })
      const last = await agent.resume(stop.saved)
      expect(last.calls['call-1']).toEqual({ state: 'done', output: { characters: SECRET.length } })
      const log = await readHistory(holdpoint, { userId: 'ada', sessionId: driver.sessionId })
      expect(JSON.stringify([stop, last, log])).not.toContain(SECRET)
      expect(JSON.stringify([stop, last])).not.toContain('secret:')
    },
  },
  {
    id: 'connect',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf('share_files'))
      await human.next({ kind: 'connect' })
      await human.connect('slack')
      const { calls } = await agent.resume(stop.saved)
      expect(calls['call-1']).toEqual({ state: 'done', output: { token: 'string' } })
      expect(world.ran).toEqual([{ tool: 'share_files', files: ['a.txt'] }])
    },
  },
]

/** A framework that reported the second question resumes once more. One that waited for it has ended. */
async function untilDone(agent: BridgedAgent, stop: Stop): Promise<Stop> {
  return stop.calls['call-1']?.state === 'waiting' ? await agent.resume(stop.saved) : stop
}
