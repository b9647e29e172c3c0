import { expect, test } from 'vitest'
import type { Question, Raced } from './commands.ts'
import { startNode } from './node-process.ts'
import { onStores, until } from './places.ts'

/** `HOLDPOINT_RACE_ROUNDS=10000` runs what the benchmark runs. */
const ROUNDS = Number(process.env.HOLDPOINT_RACE_ROUNDS ?? 500)
const AT_ONCE = 20
const ANSWERS_A_NODE = 2
const SEED = 20_261

await onStores('two nodes that settle', ['sqlite', 'postgres', 'redis'], (world) => {
  test(
    `${ROUNDS} questions that are answered at once have one winner each, every loser learns the winner, and each tool continues once`,
    async () => {
      const { store, file, effects } = world()
      const start = (name: string) => startNode({ name, store, leaseMs: 15_000, effects: file })
      const nodes = await Promise.all([start('A'), start('B')])
      const [a, b] = nodes
      const wins = new Map<string, number>()
      for (let round = 0; round < ROUNDS; round += AT_ONCE) {
        const sessionId = `s${round}`
        const callIds = Array.from({ length: Math.min(AT_ONCE, ROUNDS - round) }, (_, n) => `c${round + n}`)
        const asker = (round / AT_ONCE) % 2 ? b : a
        const questions = await asker.do<Question[]>({ type: 'ask', sessionId, callIds })
        const race = { type: 'race' as const, sessionId, questions, answers: ANSWERS_A_NODE }
        const raced = await Promise.all(nodes.map((node, n) => node.do<Raced[]>({ ...race, seed: SEED + round + n })))
        for (const { interactionId } of questions) {
          const replies = raced.flat().filter((reply) => reply.interactionId === interactionId)
          const winners = replies.filter(({ status }) => status === 200)
          expect({ round, statuses: replies.map(({ status }) => status).sort() }).toEqual({
            round,
            statuses: [200, 409, 409, 409],
          })
          const winner = winners[0]?.by ?? ''
          expect(replies.map((reply) => reply.winner)).toEqual(replies.map(() => winner))
          wins.set(winner, (wins.get(winner) ?? 0) + 1)
        }
      }
      await until(() => effects('resumed').length >= ROUNDS)
      expect(new Set(effects('resumed')).size).toBe(ROUNDS)
      expect(effects('resumed')).toHaveLength(ROUNDS)
      // It was a race, so no node won every question.
      expect([...wins.keys()].some((name) => name.startsWith('A'))).toBe(true)
      expect([...wins.keys()].some((name) => name.startsWith('B'))).toBe(true)
    },
    300_000 + ROUNDS * 100,
  )
})
