import type { Question } from '../support/person.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, quantile } from '../support/statistics.ts'
import { databases, type Place } from '../support/stores.ts'
import type { Raced } from './messages.ts'
import { type Node, startNode } from './node.ts'

/**
 * Two processes on one store. First: a question is asked on A and answered through B; the clock runs from the answer's
 * arrival at B until the waiting code continues in A. The rounds also measure the store's own round trips: one commit
 * of a single caller; and from node to node, the bare store: B commits, A is woken and reads it. Then: the number of
 * questions per second that one node and both nodes ask, answer and resume. Last: both nodes answer the same questions
 * at once, and every response is checked. `--quick` races for a tenth.
 */
const ROUNDS = 500
const WARM_UP = 100
/** A store that others look at from time to time is met at any moment between two looks. */
const PAUSE_MS = 25
/** To the bare store, from node to node. */
const TARGETS = { sqlite: 3, postgres: 2, redis: 2.5 } as const
/** Questions a second that one node carries. */
const CARRIES = { sqlite: 4_500, postgres: 2_500, redis: 3_500 } as const
const RACED = process.argv.includes('--quick') ? 1_000 : 10_000
const AT_ONCE = 20
const CARRIED = { questions: 3_000, atOnce: 200 }
const ANSWERS_A_NODE = 2
const NAMES = { sqlite: 'SQLite FULL', postgres: 'Postgres', redis: 'Redis' } as const

async function latency(a: Node, b: Node) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS))
  return await rounds(
    ROUNDS,
    {
      async commit() {
        await pause()
        return await b.do<number>({ type: 'commit' })
      },
      async trip(round) {
        await pause()
        const woken = a.resumed(`mail ${round}`)
        const sent = await b.do<number>({ type: 'send', id: `mail ${round}` })
        return (await woken) - sent
      },
      async resume(round) {
        const sessionId = `l${round & ~7}`
        const callId = `c${round}`
        const [question] = await a.do<Question[]>({ type: 'ask', sessionId, callIds: [callId] })
        if (!question) throw new Error('nothing was asked')
        await pause()
        const resumed = a.resumed(callId)
        const began = await b.do<number>({ type: 'answer', sessionId, question })
        return (await resumed) - began
      },
    },
    { warmUp: WARM_UP },
  )
}

async function race(nodes: readonly [Node, Node]) {
  let doubled = 0
  let unanswered = 0
  let untold = 0
  let wonByB = 0
  const began = performance.now()
  for (let round = 0; round < RACED; round += AT_ONCE) {
    const sessionId = `r${round}`
    const callIds = Array.from({ length: AT_ONCE }, (_, n) => `r${round + n}`)
    const questions = await nodes[(round / AT_ONCE) % 2 ? 1 : 0].do<Question[]>({ type: 'ask', sessionId, callIds })
    const order = { type: 'race' as const, sessionId, questions, answers: ANSWERS_A_NODE }
    const replies = (await Promise.all(nodes.map((node) => node.do<Raced[]>(order)))).flat()
    for (const { interactionId } of questions) {
      const tries = replies.filter((one) => one.interactionId === interactionId)
      const winners = tries.filter(({ won }) => won)
      if (winners.length > 1) doubled++
      if (winners.length === 0) unanswered++
      if (winners[0]?.by.startsWith('B')) wonByB++
      untold += tries.filter(({ winner }) => winner !== winners[0]?.by).length
    }
  }
  const perRound = +((performance.now() - began) / RACED).toFixed(2)
  return { rounds: RACED, doubled, unanswered, 'losers not told': untold, 'won by B': wonByB, 'ms a round': perRound }
}

const latencies = []
const carried = []
const races = []
const results: Result[] = []
const found = await databases()
for (const [store, places] of found) {
  const place: Place = places.make()
  // One after the other: the first one makes the schema.
  const nodes = [await startNode('A', place), await startNode('B', place)] as const
  const times = await latency(...nodes)
  for (const [percentile, share] of Object.entries({ p50: 0.5, p99: 0.99 })) {
    const [commit, trip, resume] = [times.commit, times.trip, times.resume].map((list) => quantile(list, share)) as [
      number,
      number,
      number,
    ]
    latencies.push({
      store,
      '': percentile,
      'one commit, ms': digits(commit),
      'node to node, ms': digits(trip),
      'answer → resumed, ms': digits(resume),
      'to one commit': digits(resume / commit),
      'to node to node': digits(resume / trip),
    })
    results.push({
      id: `${store}-${percentile}`,
      scenario: `asked on one node, answered through another, ${NAMES[store]}`,
      figure: `answer → tool continues, ${percentile}`,
      unit: 'ms',
      better: 'lower',
      value: resume,
      ...(percentile === 'p99' && { target: digits(TARGETS[store] * trip) }),
      limit: { name: 'the bare store, node to node', value: trip },
      peers: [{ name: 'one commit of it', value: commit }],
      why: `${digits(resume / commit)} × one commit; what is beyond the trip is two commits, each after a read`,
    })
  }
  const carry = (...some: Node[]) =>
    Promise.all(some.map((node) => node.do<number>({ type: 'carry', ...CARRIED }))).then((rates) =>
      Math.round(rates.reduce((sum, rate) => sum + rate, 0)),
    )
  await carry(nodes[0])
  const [one, two] = [await carry(nodes[0]), await carry(...nodes)]
  carried.push({ store, 'one node': one, 'two nodes': two })
  const raced = await race(nodes)
  races.push({ store, ...raced })
  for (const node of nodes) node.stop()
  results.push({
    id: `${store}-carried`,
    scenario: `asked, answered and resumed, ${CARRIED.atOnce} at once, ${NAMES[store]}`,
    figure: 'questions, one node',
    unit: 'a second',
    better: 'higher',
    value: one,
    target: CARRIES[store],
  })
  const scenario = `${RACED.toLocaleString('en-US')} questions, each answered ${2 * ANSWERS_A_NODE} times at once by two nodes, ${NAMES[store]}`
  const zero = { scenario, unit: '', better: 'lower', target: 0 } as const
  const winners = raced.doubled + raced.unanswered
  results.push({ ...zero, id: `${store}-race`, figure: 'questions with two winners, or none', value: winners })
  results.push({ ...zero, id: `${store}-told`, figure: 'losers not told who won', value: raced['losers not told'] })
}
for (const places of found.values()) await places.dispose()
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}; p99 at most 2 to 3 × the bare store from node to node`,
  results,
  rows: {
    'two nodes, ms': latencies,
    'questions a second, asked, answered and resumed': carried,
    'two nodes answer the same questions': races,
  },
})
process.exit(0)
