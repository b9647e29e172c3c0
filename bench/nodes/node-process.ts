import { createHoldpoint } from '@holdpoint/server'
import { person, type Question } from '../support/person.ts'
import { storeAt } from '../support/stores.ts'
import type { Order, Raced, Said } from './messages.ts'

/** A node: a Holdpoint on a shared store. Arguments: its name, and where the store is, as JSON. */
const [name = '', place = ''] = process.argv.slice(2)
const EVENT = JSON.stringify({ type: 'content', timestamp: '2026-01-01T00:00:00.000Z', text: 'x'.repeat(120) })
const store = storeAt(JSON.parse(place))
const ada = person()
const holdpoint = createHoldpoint({ store, authenticate: () => ({ userId: 'ada' }), hooks: { onEvent: ada.onEvent } })
await holdpoint.recover()

const say = (said: Said) => void process.send?.(said)
/** The same clock for all processes of the machine. */
const now = () => Number(process.hrtime.bigint()) / 1e6

const MAIL = 'mail'
/** The least that a node can do that waits for another one: it is woken, and reads what it was woken for. */
store.subscribe((partitions) => {
  if (name !== 'A' || !partitions.includes(MAIL)) return
  void store.load([{ partition: MAIL, kind: 'k', id: 'a' }]).then(({ rows: [row] }) => {
    if (row) say({ resumed: JSON.parse(row.data), at: now() })
  })
})

async function ask(sessionId: string, callIds: string[]): Promise<Question[]> {
  const session = holdpoint.session(sessionId, { userId: 'ada' })
  const asked = callIds.map((callId) => ada.question(holdpoint, sessionId, callId))
  for (const callId of callIds) {
    const call = session.toolCall({ runId: 'r', toolCallId: callId, toolName: 'bench' })
    void call.approve({ prompt: 'Go?' }).then(() => say({ resumed: callId, at: now() }))
  }
  return await Promise.all(asked)
}

/**
 * Asks, answers and resumes `questions` questions, by callers that each have a session. Returns the rate per second.
 */
async function carry(questions: number, atOnce: number): Promise<number> {
  let count = 0
  const run = crypto.randomUUID()
  const began = now()
  const caller = async (sessionId: string) => {
    while (count < questions) {
      const callId = `${run} ${count++}`
      const asked = ada.question(holdpoint, sessionId, callId)
      const session = holdpoint.session(sessionId, { userId: 'ada' })
      const gone = session
        .toolCall({ runId: callId, toolCallId: callId, toolName: 'bench' })
        .approve({ prompt: 'Go?', timeoutMs: 3_600_000 })
      await ada.approve(holdpoint, sessionId, await asked, name)
      await gone
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, n) => caller(`${run} ${n}`)))
  return (count / (now() - began)) * 1_000
}

async function carryOut(order: Order): Promise<unknown> {
  switch (order.type) {
    case 'ask':
      return await ask(order.sessionId, order.callIds)
    case 'answer': {
      const began = now()
      const { status } = await ada.approve(holdpoint, order.sessionId, order.question, name)
      if (status !== 200) throw new Error(`the answer was refused: ${status}`)
      return began
    }
    case 'race': {
      const tries = order.questions.flatMap((question) =>
        Array.from({ length: order.answers }, (_, n) => ({ question, by: `${name}${n}`, at: Math.random() })),
      )
      return await Promise.all(
        tries
          .sort((a, b) => a.at - b.at)
          .map(async ({ question, by }): Promise<Raced> => {
            const { status, body } = await ada.approve(holdpoint, order.sessionId, question, by)
            const { error } = body as { error?: { respondedBy?: { name?: string } } }
            const winner = status === 200 ? by : (error?.respondedBy?.name ?? 'not told')
            return { interactionId: question.interactionId, won: status === 200, by, winner }
          }),
      )
    }
    case 'send': {
      const began = now()
      const put = { kind: 'k', id: 'a', data: JSON.stringify(order.id) }
      await store.commit({ partition: MAIL, puts: [put], events: [EVENT] })
      return began
    }
    case 'carry':
      return await carry(order.questions, order.atOnce)
    case 'commit': {
      const began = now()
      await store.commit({ partition: 'bench', puts: [{ kind: 'k', id: 'a', data: EVENT }], events: [EVENT] })
      return now() - began
    }
  }
}

// A node whose bench is gone goes too.
process.on('disconnect', () => process.exit())
process.on('message', async ({ id, order }: { id: number; order: Order }) => say({ id, value: await carryOut(order) }))
say({ id: 0, value: true })
