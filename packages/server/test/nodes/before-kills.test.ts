import { seeded, seedOr } from '@holdpoint/conformance/seeded'
import { expect, test } from 'vitest'
import { type NodeProcess, startNode } from './node-process.ts'
import { person } from './person.ts'
import { onStores, pause, until } from './places.ts'

/** `HOLDPOINT_KILL_ROUNDS`: how often on each store; `HOLDPOINT_SEED`: which answers, and when the node dies. */
const ROUNDS = Number(process.env.HOLDPOINT_KILL_ROUNDS ?? 2)
const SEED = seedOr(3_107)
const CALLS = 3
const ANSWERS = 50
/** A node dies at this moment of the race at the latest. */
const LATEST_MS = 120

interface Try {
  answerId: string
  action: 'approve' | 'deny'
  args?: { mark: string; amount: number }
}

await onStores(`kill -9 of a node while ${ANSWERS} answers race`, ['sqlite', 'postgres', 'redis'], (world) => {
  test(`${ROUNDS} × ${CALLS} calls, seed ${SEED}: a tool that asks in before pays once, what was approved, and no acknowledged answer is lost`, {
    timeout: 60_000 + ROUNDS * 30_000,
  }, async () => {
    const { store, file, effects } = world()
    const random = seeded(SEED)
    const start = (name: string) => startNode({ name, store, leaseMs: 1_500, effects: file })
    let dying = await start('A0')
    const other = await start('B')
    for (let round = 1; round <= ROUNDS; round++) {
      const marks = Array.from({ length: CALLS }, (_, n) => `m${round}-${n}`)
      const sessionId = `s${round}`
      const nodes = [dying, other]
      const run = (node: NodeProcess, mark: string) =>
        void node
          .do({ type: 'run', tool: 'pay', sessionId, runId: 'r', toolCallId: mark, mark, amount: 1 })
          .catch(() => {})
      for (const mark of marks) for (const node of nodes) if (node === dying || random() < 0.5) run(node, mark)
      const races = await Promise.all(
        marks.map(async (mark) => {
          const interactionId = await person(other.url).question(sessionId, mark)
          return { mark, interactionId, shownDigest: await person(other.url).shown(sessionId, interactionId) }
        }),
      )
      const accepted = new Map<string, Try[]>()
      const answering = races.flatMap(({ mark, interactionId, shownDigest }) =>
        Array.from({ length: ANSWERS }, async (_, n) => {
          const one = tryOf(mark, n, random)
          const node = nodes[n % 2]!
          const reply = await person(node.url)
            .answer(sessionId, mark, interactionId, { ...one, shownDigest, clientId: one.answerId })
            .catch(() => undefined)
          if (reply?.body.status === 'accepted') accepted.set(mark, [...(accepted.get(mark) ?? []), one])
        }),
      )
      await pause(random() * LATEST_MS)
      await dying.kill()
      await Promise.all(answering)
      dying = await start(`A${round}`)
      for (const { mark, interactionId, shownDigest } of races) {
        // If no answer has won yet, this one does.
        const last = { answerId: `${mark}-last`, action: 'deny' as const }
        const late = await person(other.url).answer(sessionId, mark, interactionId, {
          ...last,
          shownDigest,
          clientId: last.answerId,
        })
        if (late.body.status === 'accepted') accepted.set(mark, [...(accepted.get(mark) ?? []), last])
      }
      const stored = await responses(other.url, sessionId)
      for (const { mark, interactionId } of races) {
        const own = stored.filter((event) => event.interactionId === interactionId)
        expect(own, mark).toHaveLength(1)
        const winner = own[0]!
        const acknowledged = accepted.get(mark) ?? []
        expect(acknowledged.length, mark).toBeLessThanOrEqual(1)
        for (const { answerId, action } of acknowledged) {
          expect([winner.respondedBy.clientId, winner.action], mark).toEqual([answerId, action])
        }
        const paid = () => effects('paid').filter((line) => line.startsWith(`paid ${mark} `))
        if (winner.action === 'deny') {
          expect(paid(), mark).toEqual([])
          continue
        }
        await until(() => paid().length > 0)
        const [answerNumber] = winner.respondedBy.clientId.split('-').slice(-1)
        const amount = amountOf(Number(answerNumber))
        expect(new Set(paid().map((line) => line.split(' ').slice(2, 4).join(' '))).size, paid().join()).toBe(1)
        expect(paid()[0], mark).toMatch(new RegExp(`^paid ${mark} ${amount} `))
      }
    }
    await pause(1_000)
    const keys = effects('paid').map((line) => line.split(' ').slice(1, 4).join(' '))
    const marks = effects('paid').map((line) => line.split(' ')[1])
    expect(new Set(keys).size).toBe(new Set(marks).size)
  })
})

/** Every third answer changes the amount, and every seventh denies. The id names the answer, so the winner names its amount. */
function tryOf(mark: string, n: number, random: () => number): Try {
  const answerId = `${mark}-${Math.floor(random() * 1e9)}-${n}`
  if (n % 7 === 6) return { answerId, action: 'deny' }
  const amount = amountOf(n)
  return { answerId, action: 'approve', ...(amount !== 1 && { args: { mark, amount } }) }
}

const amountOf = (n: number) => (n % 3 === 2 ? 100 + n : 1)

interface Response {
  type: string
  interactionId: string
  action: string
  respondedBy: { clientId: string }
}

async function responses(url: string, sessionId: string): Promise<Response[]> {
  const log = await fetch(`${url}/sessions/${sessionId}/events?wait=0`, {
    headers: { authorization: 'Bearer ada', accept: 'application/json' },
  })
  const { events } = (await log.json()) as { events: Response[] }
  return events.filter(({ type }) => type === 'interaction_response')
}
