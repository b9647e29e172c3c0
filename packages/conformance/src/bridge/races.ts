import { shownDigest } from '@holdpoint/core/wire'
import { expect } from 'vitest'
import { jitter } from '../store/harness.ts'
import { BOTH, DONE, ONCE, type Row } from './run-row.ts'
import { callOf } from './tools.ts'
import { OWNER } from './world.ts'

const FIFTY = 50

/** Rows in which many act at once. */
export const raceRows: readonly Row[] = [
  {
    id: 'fifty_answers',
    stores: BOTH,
    async run({ world, random }) {
      const { agent, holdpoint, human, stop } = await world.asked(callOf())
      const other = await world.node()
      const question = await human.next()
      const nodes = [holdpoint, other.holdpoint]
      const answers = await Promise.all(
        Array.from({ length: FIFTY }, async (_, n) => {
          const action = random() < 0.5 ? ('approve' as const) : ('deny' as const)
          await jitter(random)
          const outcome = await nodes[n % 2]!.answer({
            principal: { userId: OWNER },
            ...{ sessionId: question.sessionId, interactionId: question.interactionId },
            ...{ answerId: `answer-${n}`, clientId: `device-${n}` },
            answer: { action, shownDigest: shownDigest(question.request) },
          })
          return { action, outcome }
        }),
      )
      const winners = answers.filter(({ outcome }) => outcome.status === 'accepted')
      expect(winners).toHaveLength(1)
      const codes = answers.flatMap(({ outcome }) => (outcome.status === 'refused' ? [outcome.code] : []))
      expect(new Set(codes)).toEqual(new Set(['already_answered']))
      const { calls } = await agent.resume(stop.saved)
      const approved = winners[0]?.action === 'approve'
      expect(world.ran).toEqual(approved ? ONCE : [])
      expect(calls['call-1']?.state).toBe(approved ? 'done' : 'not_done')
    },
  },
  {
    id: 'fifty_resumes',
    stores: BOTH,
    async run({ world, random }) {
      const { agent, human, stop } = await world.asked(callOf())
      const other = await world.node()
      await human.approve(await human.next())
      const all = await Promise.all(
        Array.from({ length: FIFTY }, async (_, n) => {
          await jitter(random)
          return await (n % 2 ? agent : other.agent).resume(structuredClone(stop.saved))
        }),
      )
      expect(world.ran).toEqual(ONCE)
      expect(all.map(({ calls }) => calls['call-1'])).toEqual(Array(FIFTY).fill(DONE))
    },
  },
  {
    id: 'repeated',
    async run({ world }) {
      const { agent, human, stop } = await world.asked(callOf())
      await human.approve(await human.next())
      expect((await agent.resume(structuredClone(stop.saved))).calls['call-1']).toEqual(DONE)
      expect((await agent.resume(structuredClone(stop.saved))).calls['call-1']).toEqual(DONE)
      expect(world.ran).toEqual(ONCE)
    },
  },
]
