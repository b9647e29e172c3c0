import { databases, type Place } from '../support/stores.ts'
import type { Question, Raced } from './messages.ts'
import { type Node, startNode } from './node.ts'

/**
 * Two processes on one store. First: asked on A, answered through B; the clock runs from the answer's arrival at B until
 * the waiting code goes on in A. Beside it, in turns, the store's own round trips: one commit, awaited by a caller that
 * is alone; and from node to node, the bare store: B commits, A is woken and has read it.
 * Then: how many questions a second are asked, answered and gone on with, by one node and by both. Last: both answer
 * the same questions at once, and every reply is checked. `--quick` races for a tenth.
 */
const ROUNDS = 500
const WARM_UP = 50
const TARGET = 5
const RACED = process.argv.includes('--quick') ? 1_000 : 10_000
const AT_ONCE = 20
const CARRIED = { questions: 3_000, atOnce: 200 }
const ANSWERS_A_NODE = 2

const at = (list: number[], share: number) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN

async function latency(a: Node, b: Node) {
  const times = { commit: [] as number[], trip: [] as number[], resume: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const sessionId = `l${round & ~7}`
    const callId = `c${round}`
    const [question] = await a.do<Question[]>({ type: 'ask', sessionId, callIds: [callId] })
    if (!question) throw new Error('nothing was asked')
    const commit = await b.do<number>({ type: 'commit' })
    const woken = a.resumed(`mail ${round}`)
    const sent = await b.do<number>({ type: 'send', id: `mail ${round}` })
    const trip = (await woken) - sent
    const resumed = a.resumed(callId)
    const began = await b.do<number>({ type: 'answer', sessionId, question })
    const resume = (await resumed) - began
    if (round < 0) continue
    times.commit.push(commit)
    times.trip.push(trip)
    times.resume.push(resume)
  }
  return times
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

const found = await databases()
const latencies = []
const races = []
const carried = []
for (const [store, places] of found) {
  const place: Place = places.make()
  // One after the other: the first one makes the schema.
  const nodes = [await startNode('A', place), await startNode('B', place)] as const
  const times = await latency(...nodes)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [commit, trip, resume] = [at(times.commit, share), at(times.trip, share), at(times.resume, share)]
    latencies.push({
      store,
      '': name,
      'one commit, ms': +commit.toFixed(3),
      'node to node, ms': +trip.toFixed(3),
      'answer → resumed, ms': +resume.toFixed(3),
      'to one commit': +(resume / commit).toFixed(2),
      'to node to node': +(resume / trip).toFixed(2),
    })
  }
  const carry = (...some: Node[]) =>
    Promise.all(some.map((node) => node.do<number>({ type: 'carry', ...CARRIED }))).then((rates) =>
      Math.round(rates.reduce((sum, rate) => sum + rate, 0)),
    )
  await carry(nodes[0])
  carried.push({ store, 'one node': await carry(nodes[0]), 'two nodes': await carry(...nodes) })
  races.push({ store, ...(await race(nodes)) })
  for (const node of nodes) node.stop()
}
for (const places of found.values()) await places.dispose()
console.log(`two nodes, ${ROUNDS} rounds in turns; target: p99 at most ${TARGET} × the store's own round trip`)
console.table(latencies)
console.log(`questions a second, asked, answered and gone on with; ${CARRIED.atOnce} at once on each node`)
console.table(carried)
console.log(
  `two nodes answer each question ${2 * ANSWERS_A_NODE} times at once; target: one winner, every loser told who`,
)
console.table(races)
console.log(JSON.stringify({ bench: 'nodes', targets: { ratio: TARGET, doubled: 0 }, latencies, carried, races }))
process.exit(0)
