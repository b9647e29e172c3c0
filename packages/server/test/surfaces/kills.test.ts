import { seeded, seedOr } from '@holdpoint/conformance/seeded'
import { createHoldpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces, type Surface } from '@holdpoint/server/surfaces'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import { expect, test } from 'vitest'
import { boardWorld } from './support/board.ts'

/**
 * Processes die at seeded random calls to the store, while they send, change and answer messages. HOLDPOINT_SURFACE_KILLS:
 * how many; HOLDPOINT_SEED: at which calls.
 */
const KILLS = Number(process.env.HOLDPOINT_SURFACE_KILLS ?? 60)
const SEED = seedOr(18)
const MOST_CALLS = 80
const ADA = { userId: 'ada' }

test.each([
  ['finds its messages again', true],
  ['recognizes nothing', false],
])(
  `every question is sent and answered after ${KILLS} kills, seed ${SEED}, with a provider that %s`,
  { timeout: 60_000 + KILLS * 2_000 },
  async (_name, finds) => {
    const random = seeded(SEED)
    const clock = testClock()
    const backing = memoryStore({ now: clock.now })
    const board = boardWorld({ finds })
    const stored = new Set<string>()
    const sentAgain: string[] = []
    const answered = new Map<string, string>()
    let dead = 0

    const start = (diesAt?: number) => {
      const commit: typeof backing.commit = async (item) => {
        const done = await backing.commit(item)
        if (done.ok) for (const { kind, id } of item.puts ?? []) if (kind === 'sent') stored.add(id)
        return done
      }
      const store = faultyStore({ ...backing, commit, close: async () => {} })
      store.onCall(({ number }) => {
        if (number !== diesAt) return undefined
        dead++
        return random() < 0.5 ? 'die before' : 'die after'
      })
      const holdpoint = createHoldpoint({
        store,
        name: crypto.randomUUID(),
        environment: clock.environment,
        timing: { leaseMs: 5_000 },
        logger: { debug() {}, info() {}, warn() {}, error() {} },
        hooks: { onToolResult: () => {}, onFollowUp: () => {} },
      })
      const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
      const surface: Surface = {
        ...board.surface,
        name: board.surface.name,
        present: (interaction, recipient, links) => {
          // The window is open until the reference is stored. After that, a message is never sent again.
          if (stored.has(recipient.deliveryId.replace(/\/0$/, ''))) sentAgain.push(recipient.deliveryId)
          return board.surface.present(interaction, recipient, links)
        },
      }
      addSurfaces(holdpoint, { pages, surfaces: [surface] })
      return { holdpoint, store }
    }
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 1_000) {
        await clock.advance(1_000)
        await clock.settle()
      }
    }

    for (let life = 0; life < KILLS; life++) {
      const { holdpoint, store } = start(1 + Math.floor(random() * MOST_CALLS))
      void holdpoint.recover()
      const session = holdpoint.session(`chat-${life % 7}`, ADA)
      const call = { runId: `run-${life}`, toolCallId: `call-${life}`, toolName: 'deploy' }
      void session
        .toolCall(call)
        .tryApprove({ prompt: 'Deploy?', timeoutMs: 30 * 86_400_000 })
        .catch(() => {})
      await pass(1_000)
      const human = testHuman(holdpoint, { ...ADA, present: false })
      void human
        .waiting()
        .then(async ([question]) => {
          if (!question || store.dead) return
          const action = random() < 0.5 ? 'approve' : 'deny'
          await human[action](question)
          const before = answered.get(question.interactionId)
          // The first answer that a process acknowledged is the one that counts.
          if (before === undefined) answered.set(question.interactionId, action)
        })
        .catch(() => {})
      await pass(2_000)
      // A process that reached too few calls dies here.
      if (!store.dead) {
        store.die()
        dead++
      }
      await pass(6_000)
    }

    const { holdpoint } = start()
    void holdpoint.recover()
    await pass(15 * 60_000)
    const all = []
    for (let n = 0; n < 7; n++) {
      all.push(...(await holdpoint.interactions.list({ sessionId: `chat-${n}` })).interactions)
    }
    const notes = [...board.notes.values()]
    const ofQuestion = (id: string) => notes.filter(({ deliveryId }) => deliveryId.startsWith(`${id}/`))
    expect([dead, all.length > KILLS / 4]).toEqual([KILLS, true])
    expect(sentAgain).toEqual([])
    expect(stored.size).toBeGreaterThan(KILLS / 8)
    const repeats = notes.length - new Set(notes.map(({ deliveryId }) => deliveryId)).size
    expect(repeats).toBeLessThanOrEqual(finds ? 0 : KILLS)
    for (const { interactionId, status, outcome, answer } of all) {
      const shown = ofQuestion(interactionId)
      if (status === 'open') expect([interactionId, shown.length > 0]).toEqual([interactionId, true])
      if (finds) expect([interactionId, shown.length <= 1]).toEqual([interactionId, true])
      // The message whose reference was stored shows the outcome. One that was sent in the window of a crash may stay.
      const settled = shown.filter((note) => note.outcome !== undefined)
      if (outcome && shown.length > 0) expect([interactionId, settled.length > 0]).toEqual([interactionId, true])
      if (!outcome) expect(settled).toEqual([])
      const acknowledged = answered.get(interactionId)
      if (acknowledged !== undefined) expect([interactionId, answer?.action]).toEqual([interactionId, acknowledged])
    }
    await holdpoint.close()
  },
)
